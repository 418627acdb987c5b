// What stands for handles of libcurl in client code.
#ifndef STAMPEDE_HTTP_H
#define STAMPEDE_HTTP_H

#include "Transfers.h"
#include "model.h"

// Numbers of libcurl's, which it never changes.
enum {
    option_write_data = 10001,
    option_url = 10002,
    option_read_data = 10009,
    option_post_fields = 10015,
    option_header_data = 10029,
    option_custom_request = 10036,
    option_no_body = 44,
    option_upload = 46,
    option_post = 47,
    option_post_field_size = 60,
    option_private = 10103,
    option_copy_post_fields = 10165,
    option_header_lines = 10023,
    option_write_function = 20011,
    option_read_function = 20012,
    option_header_function = 20079,
    option_post_field_size_large = 30120,

    info_kinds = 0xf00000,
    info_is_text = 0x100000,
    info_is_long = 0x200000,
    info_is_double = 0x300000,
    info_is_list = 0x400000,
    info_is_offset = 0x600000,
    info_private = info_is_text + 21,
    info_effective_url = info_is_text + 1,
    info_response_code = info_is_long + 2,
    info_system_error = info_is_long + 25,

    multi_option_timer_data = 10005,
    multi_option_timer_function = 20004,

    pause_receiving = 1,
    pause_sending = 4,
    wants_pause = 0x10000001,
    wants_end = 0x10000000,

    result_well = 0,
    result_does_not_connect = 7,
    result_write_error = 23,
    result_read_error = 26,
    result_ended_by_callback = 42,
};

typedef size_t (*data_function)(char *bytes, size_t size, size_t count, void *data);
typedef int (*timer_function)(void *multi, long milliseconds, void *data);

typedef enum { transfer_is_idle, transfer_sends, transfer_waits, transfer_receives, transfer_is_done } transfer_state;

typedef struct easy {
    const void *mark;
    struct easy *next;
    struct multi *multi;
    transfer_state state;
    char *url, *method, *post, *lines;
    size_t post_size;
    bool posts, uploads, has_no_body;
    data_function write, read, header;
    void *write_data, *read_data, *header_data, *private_data;
    /// What is sent.
    char *body;
    size_t body_count;
    stampede_transfer *transfer;
    /// What is received: headers, then the body.
    int status, result, system_error;
    char *headers, *answer;
    size_t headers_place, answer_place, answer_count;
    int paused;
    bool is_told;
} easy;

/// As `curl_slist`.
typedef struct line {
    char *text;
    struct line *next;
} line;

/// As `CURLMsg`.
typedef struct {
    int kind;
    easy *handle;
    union {
        void *anything;
        int result;
    } data;
} multi_message;

typedef struct multi {
    const void *mark;
    easy *first;
    timer_function timer;
    void *timer_data;
    /// The queue on which it was last used.
    stampede_queue *queue;
    multi_message message;
} multi;

/// Has other modules call our functions instead of libcurl's. Once in a process.
void http_stand_in_front(void);

/// Null if it is none of ours.
easy *easy_of(void *handle);
multi *multi_of(void *handle);

easy *easy_make(void);
void easy_free(easy *easy);
void easy_set(easy *easy, int option, void *value);
void easy_get(const easy *easy, int info, void *place);
void easy_pause(easy *easy, int mask);

multi *multi_make(void);
void multi_free(multi *multi);
void multi_add(multi *multi, easy *easy);
void multi_remove(multi *multi, easy *easy);
/// Goes on with all that can go on. How many are not done.
int multi_work(multi *multi);
/// Null if nothing is done that was not told.
multi_message *multi_next_message(multi *multi);

#endif
