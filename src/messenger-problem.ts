import { Problem } from './problem.ts';
import { findMessengerError } from './tl/errors.ts';

const KEPT = new Set([400, 403, 404, 406]);

/**
 * The problem for a messenger's error: its own name as the code, and Telegram's number as the status if HTTP's meaning is the same. A
 * wait is 429 with `Retry-After`. A messenger's 401 is `account_unauthorized`, because it concerns the account, not the caller's key.
 */
export function messengerProblem(error: string, method: string): Problem {
  const known = findMessengerError(error, method);
  const detail = known?.comment;
  const options = detail === undefined ? {} : { detail };
  const title = 'The messenger refused the call';
  if (known?.seconds !== undefined && known.code === 420) {
    const code = error.replace(/_\d+$/, '');
    const headers = { 'retry-after': String(known.seconds) };
    const wait = { ...options, headers, members: { seconds: known.seconds } };
    return new Problem(code, wait, {
      status: 429,
      title: 'The messenger asks to wait',
      retryable: true,
    });
  }
  if (known?.code === 401) {
    return new Problem('account_unauthorized', {
      ...options,
      members: { messengerError: error },
    });
  }
  if (error === 'RANDOM_ID_DUPLICATE')
    return new Problem(error, options, {
      status: 409,
      title,
      retryable: false,
    });
  if (known?.code === 420)
    return new Problem(error, options, {
      status: 403,
      title,
      retryable: false,
    });
  if (known && KEPT.has(known.code))
    return new Problem(error, options, {
      status: known.code,
      title,
      retryable: false,
    });
  return new Problem(error, options, {
    status: 502,
    title: 'The messenger failed',
    retryable: true,
  });
}
