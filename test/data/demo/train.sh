#!/bin/bash
# Full-parameter training of a small dense model on one node with 8 NPUs.
if [ -f /usr/local/Ascend/ascend-toolkit/set_env.sh ]; then
    source /usr/local/Ascend/ascend-toolkit/set_env.sh
fi
export CUDA_DEVICE_MAX_CONNECTIONS=1
export HCCL_CONNECT_TIMEOUT=1800

NPUS_PER_NODE=8
MASTER_ADDR=localhost
MASTER_PORT=6021
NNODES=1
NODE_RANK=0
WORLD_SIZE=$(($NPUS_PER_NODE * $NNODES))

CKPT_LOAD_DIR="weights/small-mcore-tp2pp1"
CKPT_SAVE_DIR="output/ckpt"
DATA_PATH="dataset/wiki_text_document"
TOKENIZER_PATH="weights/small-hf"

TP=2
PP=1
SEQ_LENGTH=4096
TRAIN_ITERS=${TRAIN_ITERS:-2000}

DISTRIBUTED_ARGS="
    --nproc_per_node $NPUS_PER_NODE \
    --nnodes $NNODES \
    --node_rank $NODE_RANK \
    --master_addr $MASTER_ADDR \
    --master_port $MASTER_PORT
"

MODEL_ARGS=(
    --use-mcore-models
    --num-layers 28
    --hidden-size 1024
    --num-attention-heads 16
    --seq-length "$SEQ_LENGTH"   # context
    --max-position-embeddings "$SEQ_LENGTH"
    --bf16
)

TRAIN_ARGS="
    --micro-batch-size 1 \
    --global-batch-size 32 \
    --train-iters ${TRAIN_ITERS} \
    --lr 1.25e-6 \
    --tensor-model-parallel-size ${TP} \
    --pipeline-model-parallel-size ${PP} \
    --tokenizer-type PretrainedFromHF \
    --tokenizer-name-or-path ${TOKENIZER_PATH} \
"

OUTPUT_ARGS="
    --log-interval 1 \
    --save-interval 500 \
    --eval-interval 1000 \
    --eval-iters 0
"

torchrun $DISTRIBUTED_ARGS pretrain_gpt.py \
    "${MODEL_ARGS[@]}" \
    $TRAIN_ARGS \
    $OUTPUT_ARGS \
    --data-path $DATA_PATH \
    --distributed-backend nccl \
    --load ${CKPT_LOAD_DIR} \
    --save ${CKPT_SAVE_DIR} \
    | tee logs/train_small_mcore.log
