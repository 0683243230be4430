// Every Rubber Band function in use: its name without `rubberband_`, and its declaration as in the library's header.
// Options are passed as `int`.
//
// Included more than once, each time with a different LOADED_FUNCTION(result, name, parameters, arguments).

LOADED_FUNCTION(RubberBandState, new,
    (unsigned sample_rate, unsigned channel_count, int options, double time_ratio, double pitch_scale),
    (sample_rate, channel_count, options, time_ratio, pitch_scale))
LOADED_FUNCTION(void, delete, (RubberBandState state), (state))
LOADED_FUNCTION(void, reset, (RubberBandState state), (state))
LOADED_FUNCTION(unsigned, get_preferred_start_pad, (const RubberBandState state), (state))
LOADED_FUNCTION(unsigned, get_start_delay, (const RubberBandState state), (state))
LOADED_FUNCTION(void, set_max_process_size, (RubberBandState state, unsigned frame_count), (state, frame_count))
LOADED_FUNCTION(void, process,
    (RubberBandState state, const float *const *input, unsigned frame_count, int is_final),
    (state, input, frame_count, is_final))
LOADED_FUNCTION(int, available, (const RubberBandState state), (state))
LOADED_FUNCTION(unsigned, retrieve, (const RubberBandState state, float *const *output, unsigned frame_count),
    (state, output, frame_count))
