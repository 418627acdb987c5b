// What threads that do not hold the baton ask of objects of ours: done where their device is simulated.
#ifndef STAMPEDE_CROSSING_H
#define STAMPEDE_CROSSING_H

#include "model.h"

void crossing_put(stampede_queue *queue, work work, group *group, bool is_barrier);
void crossing_put_after(stampede_queue *queue, work work, uint64_t when);
/// Blocks the caller until it has run.
void crossing_run(stampede_queue *queue, const work *work, bool is_barrier);
/// Runs `body` there, and blocks the caller until it has; false if the app's process is gone.
bool crossing_perform(stampede_app *app, void (*body)(void *), void *argument);
/// The same without waiting for it; `drop` is called instead if it never runs.
void crossing_send(stampede_app *app, void (*body)(void *), void (*drop)(void *), void *argument);

/// Has the simulation look whether anything is left to wait for.
void crossing_nudge(stampede_app *app);

#endif
