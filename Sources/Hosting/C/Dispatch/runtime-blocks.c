// Blocks that `dispatch_block_create` makes: they can be cancelled, waited for, and tell when they have run.

#include "model.h"

#include <stdlib.h>

typedef struct {
    object base;
    void *block;
    bool is_cancelled;
    bool has_run;
    group *group;
} block_state;

static void dispose(void *candidate) {
    block_state *state = candidate;
    if (state->block) _Block_release(state->block);
    // Who waits for what never runs waits for ever, but the group may go.
    state->group->count = 0;
    object_release(state->group);
}

static const object_kind state_kind = {"block", dispose};

typedef struct {
    block_layout layout;
    block_state *state;
} our_block;

static void copy(void *into, const void *from) {
    our_block *copy = into;
    copy->state = ((const our_block *)from)->state;
    object_retain(copy->state);
}

static void release(const void *block) { object_release(((const our_block *)block)->state); }

static struct {
    unsigned long reserved, size;
    void (*copy)(void *, const void *);
    void (*dispose)(const void *);
} descriptor = {0, sizeof(our_block), copy, release};

/// Who waits for it is told, once.
static void end(block_state *state) {
    if (state->has_run) return;
    state->has_run = true;
    group_leave(state->group);
}

static void invoke(block_layout *layout) {
    block_state *state = ((our_block *)layout)->state;
    object_retain(state);
    if (!state->is_cancelled) {
        block_layout *block = state->block;
        block->invoke(block);
    }
    {
        MODEL_OF(state->base.home);
        end(state);
    }
    object_release(state);
}

extern void *_NSConcreteStackBlock[];

void *block_make(const void *block) {
    MODEL;
    block_state *state = object_make(sizeof *state, &state_kind);
    state->block = _Block_copy(block);
    state->group = group_make();
    group_enter(state->group);
    enum { has_copy_dispose = 1 << 25 };
    our_block made = {
        .layout = {.isa = _NSConcreteStackBlock, .flags = has_copy_dispose, .invoke = invoke, .descriptor = &descriptor},
        .state = state};
    void *copied = _Block_copy(&made);
    object_release(state);
    return copied;
}

bool block_is_ours(const void *block) { return block && ((const block_layout *)block)->invoke == invoke; }

static block_state *state_of(const void *block) { return ((const our_block *)block)->state; }

void block_cancel(void *block) { state_of(block)->is_cancelled = true; }
bool block_is_cancelled(const void *block) { return state_of(block)->is_cancelled; }
bool block_wait(void *block, int64_t delay) { return group_wait(state_of(block)->group, delay); }
void block_notify(void *block, stampede_queue *queue, work work) { group_notify(state_of(block)->group, queue, work); }
