import { ApiError, NoAnswerError, SwitchboardError } from '../errors.ts';

/** Gives the error of a request, to be an outcome; throws anything else, such as an aborted signal's reason. */
export function toRequestError(error: unknown): SwitchboardError {
  if (error instanceof SwitchboardError) return error;
  throw error;
}

/** A copy of a request's error, for one of the things that the request was about: each has a key of its own. */
export function copyOf(error: SwitchboardError): ApiError | NoAnswerError {
  const copy =
    error instanceof ApiError
      ? new ApiError(error.problem, error.retryAfterMs)
      : new NoAnswerError(error.cause);
  copy.attempts = error.attempts;
  return copy;
}
