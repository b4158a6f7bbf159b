/* The version, which the Makefile takes from the file VERSION. */
#ifndef VERSION_H
#define VERSION_H

#ifndef MSP_VERSION
#define MSP_VERSION "unknown"
#endif

#endif
