import { NoAnswerError } from '../errors.ts';
import { readProblem } from './read-problem.ts';

/** The target of requests. */
export interface Target {
  /** Without a slash at the end. */
  url: string;
  key: string;
  fetch: typeof globalThis.fetch;
}

/** A request; `body` becomes JSON. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** An answer with a status below 300. */
export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Makes a request and reads its answer. Throws an `ApiError` for an error answer, and a `NoAnswerError` if none comes. */
export async function send<Body>(
  target: Target,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<Answer<Body>> {
  const response = await open(target, request, signal);
  const { status, headers } = response;
  const text = await orNoAnswer(() => response.text());
  if (!response.ok) throw readProblem(response, text);
  return { status, headers, body: await orNoAnswer(() => parseBody(status, text)) };
}

/** Makes a request and reads its answer as text. Throws like `send`. */
export async function readText(target: Target, path: string, signal: AbortSignal): Promise<string> {
  const response = await openStream(target, { method: 'GET', path }, signal);
  return await orNoAnswer(() => response.text());
}

/** Makes a request, and gives the response as soon as its head is there. Throws an `ApiError` for an error answer. */
export async function openStream(
  target: Target,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<Response> {
  const response = await open(target, request, signal);
  if (response.ok) return response;
  throw readProblem(response, await orNoAnswer(() => response.text()));
}

// The body of each of the API's answers is an object or an array, but for those that have none. Other answers are not the API's.
function parseBody<Body>(status: number, text: string): Body {
  if (status !== 200 && text === '') return undefined as Body;
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null) throw notOfApi();
  return body as Body;
}

/** The cause of a `NoAnswerError` for an answer that the API does not give. */
export function notOfApi(): Error {
  return new Error('what came is not an answer of the API');
}

function open({ url, key, fetch }: Target, request: HttpRequest, signal: AbortSignal): Promise<Response> {
  const { method, path, body } = request;
  const headers = new Headers({ authorization: `Bearer ${key}`, ...request.headers });
  if (body !== undefined) headers.set('content-type', 'application/json');
  const payload = body === undefined ? null : JSON.stringify(body);
  // What follows a redirect leaves out the key, or the body, or sends them to another server.
  const redirect = 'manual';
  return orNoAnswer(() => fetch(`${url}${path}`, { method, headers, body: payload, signal, redirect }));
}

/** Reports every failure as a `NoAnswerError`: a lost connection and an incomplete answer fail in many ways. */
async function orNoAnswer<T>(receive: () => T | Promise<T>): Promise<T> {
  try {
    return await receive();
  } catch (cause) {
    throw new NoAnswerError(cause);
  }
}
