import { Problem } from './problem.ts';
import { PROBLEMS } from './problem-table.ts';
import { findMessengerError } from './tl/errors.ts';

const NEXT = "The messenger's own documentation says what the error means.";

// The errors that newcomers meet first.
const ID_INVALID = /^(PEER|USER|CHAT|CHANNEL|CONTACT)(_ID)?_INVALID$/;
const WHENCE =
  'Take ids and access hashes from a result or an update of this account; `GET /v1/methods/{name}?messengerAccountId=…` has an example with some.';

const KEPT = new Set([400, 403, 404]);

/**
 * The problem for a messenger's error. Its code is the error's own name. Its status is Telegram's number where HTTP means the same by it:
 * a 406 becomes 400, because HTTP's 406 speaks of representations. A wait is 429 with `Retry-After`. A 401 becomes
 * `account_unauthorized`, because it concerns the messenger account, not the caller's key.
 */
export function messengerProblem(error: string, method: string): Problem {
  const known = findMessengerError(error, method);
  const { code: number, comment, seconds } = known ?? {};
  const detail = ID_INVALID.test(error) ? [comment, WHENCE].filter(Boolean).join(' ') : comment;
  const options = detail === undefined ? {} : { detail };
  const refused = { title: 'The messenger refused the call', retryable: false, next: NEXT };
  if (seconds !== undefined && number === 420) {
    const wait = { ...options, headers: { 'retry-after': String(seconds) }, members: { seconds } };
    const title = 'The messenger asks to wait';
    const next = 'Wait for as many seconds as `seconds` says.';
    return new Problem(error.replace(/_\d+$/, ''), wait, { status: 429, title, retryable: true, next });
  }
  if (number === 401)
    return new Problem('account_unauthorized', { ...options, members: { messengerError: error } });
  if (error === 'RANDOM_ID_DUPLICATE') return new Problem(error, options, { status: 409, ...refused });
  if (number === 420) return new Problem(error, options, { status: 403, ...refused });
  if (number === 406) return new Problem(error, options, { status: 400, ...refused });
  if (number !== undefined && KEPT.has(number))
    return new Problem(error, options, { status: number, ...refused });
  const { status, title, retryable, next } = PROBLEMS.messenger_failed;
  return new Problem(error, options, { status, title, retryable, next });
}
