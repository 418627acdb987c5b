// Requests that client code makes of libcurl: answered by the simulation, at its time. The library's user drives a transfer
// from its own queue (`multi_work`), as it drives libcurl; an answer that has come asks for another turn there.

#define _GNU_SOURCE
#include "http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char easy_mark, multi_mark;

easy *easy_of(void *handle) { return handle && ((easy *)handle)->mark == &easy_mark ? handle : NULL; }
multi *multi_of(void *handle) { return handle && ((multi *)handle)->mark == &multi_mark ? handle : NULL; }

// MARK: On the way

/// Shared by who made it and by the simulation, which may outlive it.
struct stampede_transfer {
    int references;
    /// Null when nobody waits for the answer any more.
    easy *easy;
    char *method, *url, *headers, *body;
    size_t body_count;
};

const char *stampede_transfer_method(const stampede_transfer *transfer) { return transfer->method; }
const char *stampede_transfer_url(const stampede_transfer *transfer) { return transfer->url; }
const char *stampede_transfer_headers(const stampede_transfer *transfer) { return transfer->headers; }
const void *stampede_transfer_body(const stampede_transfer *transfer, size_t *count) {
    *count = transfer->body_count;
    return transfer->body;
}

void stampede_transfer_release(stampede_transfer *transfer) {
    if (__atomic_sub_fetch(&transfer->references, 1, __ATOMIC_ACQ_REL) > 0) return;
    free(transfer->method);
    free(transfer->url);
    free(transfer->headers);
    free(transfer->body);
    free(transfer);
}

static void ask_for_turn(multi *multi) {
    if (multi && multi->timer) multi->timer(multi, 0, multi->timer_data);
}

static void take_turn(void *argument) {
    stampede_transfer *transfer = argument;
    if (transfer->easy) ask_for_turn(transfer->easy->multi);
    stampede_transfer_release(transfer);
}

/// On the queue of who waits for it.
static void arrive(stampede_transfer *transfer) {
    easy *easy = transfer->easy;
    easy->state = transfer_receives;
    if (!easy->multi || !easy->multi->queue) return;
    __atomic_add_fetch(&transfer->references, 1, __ATOMIC_RELAXED);
    MODEL;
    queue_put(easy->multi->queue, work_of_function(take_turn, transfer), NULL, false);
}

static char *copy_of(const void *bytes, size_t count) {
    char *copy = malloc(count + 1);
    if (count) memcpy(copy, bytes, count);
    copy[count] = 0;
    return copy;
}

void stampede_transfer_answer(
    stampede_transfer *transfer, int status, const char *headers, const void *body, size_t count
) {
    easy *easy = transfer->easy;
    if (!easy) return;
    easy->status = status;
    if (asprintf(&easy->headers, "HTTP/1.1 %d \r\n%sContent-Length: %zu\r\n\r\n", status, headers, count) < 0) abort();
    easy->answer_count = easy->has_no_body ? 0 : count;
    easy->answer = copy_of(body, count);
    arrive(transfer);
}

void stampede_transfer_fail(stampede_transfer *transfer, int result, int system_error) {
    if (!transfer->easy) return;
    transfer->easy->result = result;
    transfer->easy->system_error = system_error;
    arrive(transfer);
}

// MARK: Handles

easy *easy_make(void) {
    easy *made = calloc(1, sizeof *made);
    made->mark = &easy_mark;
    return made;
}

/// Nobody waits for what is under way.
static void forget(easy *easy) {
    if (easy->transfer) {
        easy->transfer->easy = NULL;
        stampede_transfer_release(easy->transfer);
        easy->transfer = NULL;
    }
    free(easy->headers);
    free(easy->answer);
    free(easy->body);
    easy->headers = easy->answer = easy->body = NULL;
    easy->body_count = easy->headers_place = easy->answer_place = easy->answer_count = 0;
    easy->status = easy->result = easy->system_error = easy->paused = 0;
    easy->is_told = false;
    easy->state = transfer_is_idle;
}

void easy_free(easy *easy) {
    if (easy->multi) multi_remove(easy->multi, easy);
    forget(easy);
    free(easy->url);
    free(easy->method);
    free(easy->post);
    free(easy->lines);
    free(easy);
}

static void replace(char **text, const char *by) {
    free(*text);
    *text = by ? strdup(by) : NULL;
}

/// The list is its user's, and goes away.
static void set_lines(easy *easy, const line *lines) {
    size_t count = 0;
    for (const line *each = lines; each; each = each->next) count += strlen(each->text) + 1;
    free(easy->lines);
    easy->lines = calloc(count + 1, 1);
    char *end = easy->lines;
    for (const line *each = lines; each; each = each->next) end = stpcpy(stpcpy(end, each->text), "\n");
}

static void set_post(easy *easy, const char *fields) {
    free(easy->post);
    size_t count = easy->post_size ? easy->post_size : fields ? strlen(fields) : 0;
    easy->post = fields ? copy_of(fields, count) : NULL;
    easy->post_size = count;
    easy->posts = true;
}

void easy_set(easy *easy, int option, void *value) {
    switch (option) {
    case option_url: replace(&easy->url, value); break;
    case option_custom_request: replace(&easy->method, value); break;
    case option_header_lines: set_lines(easy, value); break;
    case option_post_fields:
    case option_copy_post_fields: set_post(easy, value); break;
    case option_post_field_size:
    case option_post_field_size_large: easy->post_size = (intptr_t)value < 0 ? 0 : (size_t)value; break;
    case option_no_body: easy->has_no_body = value; break;
    case option_upload: easy->uploads = value; break;
    case option_post: easy->posts = value; break;
    case option_private: easy->private_data = value; break;
    case option_write_function: easy->write = (data_function)value; break;
    case option_write_data: easy->write_data = value; break;
    case option_read_function: easy->read = (data_function)value; break;
    case option_read_data: easy->read_data = value; break;
    case option_header_function: easy->header = (data_function)value; break;
    case option_header_data: easy->header_data = value; break;
    // Of connections, proxies, certificates: there are none.
    default: break;
    }
}

static long number_of(const easy *easy, int info) {
    if (info == info_response_code) return easy->status;
    return info == info_system_error ? easy->system_error : 0;
}

void easy_get(const easy *easy, int info, void *place) {
    switch (info & info_kinds) {
    case info_is_long: *(long *)place = number_of(easy, info); break;
    case info_is_double: *(double *)place = 0; break;
    case info_is_offset: *(int64_t *)place = 0; break;
    default:
        *(void **)place = info == info_private ? easy->private_data : info == info_effective_url ? easy->url : NULL;
    }
}

void easy_pause(easy *easy, int mask) {
    bool goes_on = easy->paused & ~mask;
    easy->paused = mask & (pause_receiving | pause_sending);
    if (goes_on) ask_for_turn(easy->multi);
}

// MARK: Together

multi *multi_make(void) {
    multi *made = calloc(1, sizeof *made);
    made->mark = &multi_mark;
    return made;
}

void multi_free(multi *multi) {
    while (multi->first) multi_remove(multi, multi->first);
    if (multi->queue) object_release(multi->queue);
    free(multi);
}

/// Where its user works with it: there it is told of answers.
static void note_queue(multi *multi) {
    stampede_queue *queue = stampede_top ? stampede_top->queue : NULL;
    if (!queue || queue == multi->queue) return;
    if (!queue->is_built_in) object_retain(queue);
    if (multi->queue && !multi->queue->is_built_in) object_release(multi->queue);
    multi->queue = queue;
}

void multi_add(multi *multi, easy *easy) {
    if (easy->multi) return;
    note_queue(multi);
    forget(easy);
    easy->state = transfer_sends;
    easy->multi = multi;
    struct easy **place = &multi->first;
    while (*place) place = &(*place)->next;
    *place = easy;
    easy->next = NULL;
    ask_for_turn(multi);
}

void multi_remove(multi *multi, easy *easy) {
    for (struct easy **place = &multi->first; *place; place = &(*place)->next) {
        if (*place != easy) continue;
        *place = easy->next;
        break;
    }
    easy->next = NULL;
    easy->multi = NULL;
    // What it has received can still be asked for.
    if (easy->transfer) {
        easy->transfer->easy = NULL;
        stampede_transfer_release(easy->transfer);
        easy->transfer = NULL;
    }
}

static void end(easy *easy, int result) {
    easy->result = result;
    easy->state = transfer_is_done;
}

/// Reads what is to be uploaded. False if there is more to come, or no more at all.
static bool has_read(easy *easy) {
    if (!easy->uploads || !easy->read) {
        if (!easy->body && easy->post) {
            easy->body = copy_of(easy->post, easy->post_size);
            easy->body_count = easy->post_size;
        }
        return true;
    }
    char part[16384];
    for (;;) {
        if (easy->paused & pause_sending) return false;
        size_t count = easy->read(part, 1, sizeof part, easy->read_data);
        if (count == wants_pause) easy->paused |= pause_sending;
        else if (count > sizeof part) return end(easy, count == wants_end ? result_ended_by_callback : result_read_error), false;
        else if (count == 0) return true;
        else {
            easy->body = realloc(easy->body, easy->body_count + count + 1);
            memcpy(easy->body + easy->body_count, part, count);
            easy->body_count += count;
        }
    }
}

static const char *method_of(const easy *easy) {
    if (easy->method) return easy->method;
    return easy->uploads ? "PUT" : easy->posts ? "POST" : easy->has_no_body ? "HEAD" : "GET";
}

static void send(easy *easy) {
    if (!has_read(easy)) return;
    stampede_transfer *transfer = calloc(1, sizeof *transfer);
    *transfer = (stampede_transfer){
        .references = 2, .easy = easy, .method = strdup(method_of(easy)), .url = strdup(easy->url ? easy->url : ""),
        .headers = strdup(easy->lines ? easy->lines : ""), .body = copy_of(easy->body, easy->body_count),
        .body_count = easy->body_count};
    easy->transfer = transfer;
    easy->state = transfer_waits;
    stampede_the_host.transfer(stampede_top->app->process, transfer);
}

/// Hands on what was received, as far as it is wanted.
static void receive(easy *easy) {
    if (easy->result != result_well) return end(easy, easy->result);
    while (easy->headers[easy->headers_place]) {
        char *line = easy->headers + easy->headers_place;
        size_t count = (size_t)(strchr(line, '\n') - line) + 1;
        easy->headers_place += count;
        if (easy->header && easy->header(line, 1, count, easy->header_data) != count) return end(easy, result_write_error);
        if (!easy->multi) return;
    }
    while (easy->answer_place < easy->answer_count) {
        if (easy->paused & pause_receiving) return;
        size_t count = easy->answer_count - easy->answer_place;
        if (count > 16384) count = 16384;
        size_t taken = easy->write ? easy->write(easy->answer + easy->answer_place, 1, count, easy->write_data) : count;
        if (!easy->multi) return;
        if (taken == wants_pause) easy->paused |= pause_receiving;
        else if (taken != count) return end(easy, result_write_error);
        else easy->answer_place += count;
    }
    end(easy, result_well);
}

int multi_work(multi *multi) {
    note_queue(multi);
    // What is called may take others from the list.
    bool has_worked = true;
    while (has_worked) {
        has_worked = false;
        for (easy *easy = multi->first; easy && !has_worked; easy = easy->next) {
            transfer_state state = easy->state;
            if (state == transfer_sends && !(easy->paused & pause_sending)) {
                send(easy);
                has_worked = true;
            } else if (state == transfer_receives && !(easy->paused & pause_receiving)) {
                receive(easy);
                has_worked = true;
            }
        }
    }
    int count = 0;
    for (easy *easy = multi->first; easy; easy = easy->next) count += easy->state != transfer_is_done;
    return count;
}

multi_message *multi_next_message(multi *multi) {
    for (easy *easy = multi->first; easy; easy = easy->next) {
        if (easy->state != transfer_is_done || easy->is_told) continue;
        easy->is_told = true;
        multi->message = (multi_message){.kind = 1, .handle = easy, .data = {.result = easy->result}};
        return &multi->message;
    }
    return NULL;
}
