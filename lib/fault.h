/*
 * Faults on demand, for tests: in a build with -DMSP_FAULT the environment
 * variable MSP_FAULT=mem:7 (or read:, write:) makes the seventh such call
 * fail. In every other build fault_now is the constant 0.
 */
#ifndef FAULT_H
#define FAULT_H

enum fault_kind { FAULT_MEM, FAULT_READ, FAULT_WRITE };

#ifdef MSP_FAULT
int fault_now(enum fault_kind);
#else
#define fault_now(kind) 0
#endif

#endif
