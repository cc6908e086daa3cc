import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer } from '../service/service.ts';
import { find } from './references.ts';

/** An operation of the document, and where it is. */
export interface Operation {
  verb: string;
  path: string;
  operationId: string;
  /** The body that the document shows. */
  example: object | undefined;
  takesCascade: boolean;
}

/** The OpenAPI document of a service, which judges what it sends. */
export class Contract {
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape
  private readonly document: any;
  private readonly ajv = new Ajv2020({ strict: false });

  constructor(document: Answer['body']) {
    this.document = document;
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'doc', ...document });
  }

  get operations(): Operation[] {
    return Object.entries<Record<string, Answer['body']>>(this.document.paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, { operationId, requestBody, parameters = [] }]) => ({
        ...{ verb: verb.toUpperCase(), path, operationId },
        example: requestBody?.content['application/json']?.example,
        takesCascade: parameters.some(({ name }: { name?: string }) => name === 'cascade'),
      })),
    );
  }

  /** What is wrong with an answer of an operation, or null. */
  wrongWith({ verb, path }: Pick<Operation, 'verb' | 'path'>, { status, headers, body }: Answer): unknown {
    const at = ['paths', path, verb.toLowerCase(), 'responses', String(status)];
    const response = at.reduce((part, name) => part?.[name], this.document);
    if (response === undefined) return `${status} is not described`;
    const whole = response.$ref === undefined ? response : find(this.document, response.$ref);
    if (whole.content === undefined) return body === '' ? null : 'there is a body';
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
    if (whole.content[type] === undefined) return `${type} is not described`;
    const from = response.$ref?.slice(1) ?? pointer(at);
    return this.wrong(`${from}${pointer(['content', type, 'schema'])}`, body);
  }

  /** What is wrong with the body of a webhook, or null. */
  wrongWithWebhook(body: object): unknown {
    return this.wrong(
      pointer(['webhooks', 'update', 'post', 'requestBody', 'content', 'application/json', 'schema']),
      body,
    );
  }

  private wrong(at: string, value: unknown): unknown {
    return this.ajv.validate({ $ref: `doc#${at}` }, value) ? null : this.ajv.errors;
  }
}

function pointer(names: string[]): string {
  return names
    .map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}
