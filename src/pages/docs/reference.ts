/** The parts of a JSON Schema that are shown. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  contentEncoding?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  schema?: Schema;
  example?: unknown;
}

export interface Answer {
  description: string;
  content?: Record<string, Content>;
}

/** A request that the API takes. */
export interface Operation {
  id: string;
  /** The TL method that it calls, or null. */
  method: string | null;
  verb: string;
  path: string;
  /** Its group: a tag, or the namespace of the method. */
  group: string;
  title: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  body: Content | null;
  answers: [status: string, answer: Answer][];
}

interface Refers {
  $ref: string;
}

interface RawOperation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: (Parameter | Refers)[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Answer | Refers>;
}

interface OpenapiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, RawOperation>>;
}

/** The contents of `openapi.json`. */
export class Reference {
  readonly operations: Operation[];
  readonly info: OpenapiDocument['info'];
  /** The tags, in the order in which a reader needs them. */
  readonly tags: OpenapiDocument['tags'];
  private readonly document: OpenapiDocument;

  constructor(document: OpenapiDocument) {
    this.document = document;
    this.info = document.info;
    this.tags = document.tags;
    this.operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, raw]) => this.toOperation(path, verb, raw)),
    );
  }

  find(id: string): Operation | undefined {
    return this.operations.find((operation) => operation.id === id);
  }

  /** Resolves a reference; any other value is returned as it is. */
  resolve<Part extends object>(part: Part | Refers): Part {
    if (!('$ref' in part) || typeof part.$ref !== 'string') return part as Part;
    const names = part.$ref.slice('#/'.length).split('/');
    let found: unknown = this.document;
    for (const name of names) found = (found as Record<string, unknown> | undefined)?.[name];
    return (found ?? {}) as Part;
  }

  private toOperation(path: string, verb: string, raw: RawOperation): Operation {
    const { operationId: id, summary = id, tags = ['Other'], requestBody } = raw;
    const isMethod = path.endsWith(`/call/${id}`);
    return {
      id,
      method: isMethod ? id : null,
      verb: verb.toUpperCase(),
      path,
      group: isMethod ? (id.split('.', 1)[0] ?? id) : (tags[0] ?? 'Other'),
      title: isMethod ? id : summary,
      summary,
      description: raw.description ?? '',
      parameters: (raw.parameters ?? []).map((parameter) => this.resolve<Parameter>(parameter)),
      body: requestBody === undefined ? null : (Object.values(requestBody.content)[0] ?? null),
      answers: Object.entries(raw.responses).map(([status, answer]) => [
        status,
        this.resolve<Answer>(answer),
      ]),
    };
  }
}
