// Requests over HTTP that client code makes, by `URLSession` or by libcurl itself: the simulation answers them.
#ifndef STAMPEDE_TRANSFERS_H
#define STAMPEDE_TRANSFERS_H

#include <stdbool.h>
#include <stddef.h>

/// One request on its way. What is asked of it is asked on the device's lane.
typedef struct stampede_transfer stampede_transfer;

const char *stampede_transfer_method(const stampede_transfer *transfer);
const char *stampede_transfer_url(const stampede_transfer *transfer);
/// Lines, each with the end of a line.
const char *stampede_transfer_headers(const stampede_transfer *transfer);
const void *stampede_transfer_body(const stampede_transfer *transfer, size_t *count);

/// The answer has come. In code of the app; once, or never.
///
/// - Parameter headers: lines, each with the end of a line.
void stampede_transfer_answer(
    stampede_transfer *transfer, int status, const char *headers, const void *body, size_t count);

/// No answer will come. In code of the app; once, or never.
///
/// - Parameters:
///   - result: libcurl's number.
///   - system_error: as `errno`; 0: none.
void stampede_transfer_fail(stampede_transfer *transfer, int result, int system_error);

/// Nobody will ask for it any more. Any thread.
void stampede_transfer_release(stampede_transfer *transfer);

// MARK: The real world

typedef struct {
    /// libcurl's number; 0: there is an answer.
    int failure;
    int status;
    /// Lines, each with the end of a line; null without an answer, as `body` is.
    char *headers;
    char *body;
    size_t count;
} stampede_web_answer;

/// Loads the library by which servers of the real world are asked, where the program has not. False if it is not installed.
/// Outside client code, any thread.
bool stampede_web_load(void);

/// Asks a server of the real world, and waits for its answer. Outside client code, any thread.
///
/// - Parameter headers: lines, each with the end of a line.
stampede_web_answer stampede_web_ask(
    const char *method, const char *url, const char *headers, const void *body, size_t count, long milliseconds);

void stampede_web_answer_free(stampede_web_answer *answer);

#endif
