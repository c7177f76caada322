import type { Random } from '../../../support/random.ts';

/** A message of a client, and what it is: the method of a request or notification, or `answer to` and the method of the server. */
export interface ClientMessage {
  readonly version: string;
  readonly subject: string;
  readonly message: object;
}

type Members = Readonly<Record<string, unknown>>;

const sessionVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
export const requestVersion = '2026-07-28';

const texts = ['a', 'a name', 'text://é/✓', '', 'https://example.com/a?b=c#d'];
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Values of the protocol, made from random numbers. */
class Values {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  get text(): string {
    return this.random.oneOf(texts);
  }

  get id(): unknown {
    return this.random.oneOf<unknown>([0, 1, -7, 2 ** 53 - 1, 'a', '']);
  }

  get object(): Members {
    return this.random.oneOf<Members>([{}, { a: 1 }, { b: { c: [1, null, 'd'] } }]);
  }

  get textMap(): Members {
    return this.random.oneOf<Members>([{ a: 'b' }, { 'a\nb': 'c' }, Object.fromEntries([['__proto__', 'd']])]);
  }

  /** Each of the members, or not. */
  some(members: Readonly<Record<string, () => unknown>>): Members {
    const chosen = Object.entries(members).filter(() => this.random.chance(0.5));
    return Object.fromEntries(chosen.map(([name, value]) => [name, value()]));
  }

  get implementation(): Members {
    const icon = () => ({
      src: this.text,
      ...this.some({ mimeType: () => 'image/png', sizes: () => ['48x48', 'any'], theme: () => this.random.oneOf(['light', 'dark']) }),
    });
    const optional = { title: () => this.text, description: () => this.text, websiteUrl: () => this.text, icons: () => [icon()] };
    return { name: this.text, version: this.text, ...this.some(optional) };
  }

  get capabilities(): Members {
    return this.some({
      experimental: () => ({ a: this.object }),
      sampling: () => this.some({ context: () => this.object, tools: () => this.object }),
      elicitation: () => this.some({ form: () => this.some({ applyDefaults: () => true }), url: () => ({}) }),
      roots: () => this.some({ listChanged: () => true }),
      extensions: () => ({ 'io.modelcontextprotocol/tasks': {}, 'a/b': this.object }),
    });
  }

  /** Capability of 2025-11-25 alone. */
  get tasks(): Members {
    return this.some({ list: () => ({}), cancel: () => ({}), requests: () => ({ elicitation: { create: {} }, sampling: {} }) });
  }

  get meta(): Members {
    return this.some({
      progressToken: () => this.id,
      'io.modelcontextprotocol/related-task': () => ({ taskId: this.text }),
      'example.com/own': () => this.object,
    });
  }

  /** `_meta` of a request without a session. */
  get envelope(): Members {
    return {
      ...this.meta,
      'io.modelcontextprotocol/protocolVersion': requestVersion,
      'io.modelcontextprotocol/clientCapabilities': this.capabilities,
      ...this.some({
        'io.modelcontextprotocol/clientInfo': () => this.implementation,
        'io.modelcontextprotocol/logLevel': () => this.random.oneOf(levels),
      }),
    };
  }

  get content(): Members {
    const data = { data: 'aGVsbG8=', mimeType: 'image/png' };
    const annotations = { audience: ['user'], priority: 0.5, lastModified: '2025-01-12T15:00:58Z' };
    const kinds = [
      { type: 'text', text: this.text },
      { type: 'image', ...data },
      { type: 'audio', ...data },
    ];
    return { ...this.random.oneOf<Members>(kinds), ...this.some({ annotations: () => annotations, _meta: () => this.object }) };
  }
}

type Make = (values: Values) => Members;

const paginated: Make = (values) => values.some({ cursor: () => values.text });
const nothing: Make = () => ({});
const uri: Make = (values) => ({ uri: values.text });

/** Parameters, without `_meta`, of the requests that every revision has. */
const requests: Readonly<Record<string, Make>> = {
  'tools/list': paginated,
  'tools/call': (values) => ({
    name: values.text,
    ...values.some({ arguments: () => values.object, task: () => values.some({ ttl: () => 60_000 }) }),
  }),
  'resources/list': paginated,
  'resources/templates/list': paginated,
  'resources/read': uri,
  'prompts/list': paginated,
  'prompts/get': (values) => ({ name: values.text, ...values.some({ arguments: () => values.textMap }) }),
  'completion/complete': (values) => ({
    ref: values.random.oneOf([
      { type: 'ref/prompt', name: values.text },
      { type: 'ref/resource', uri: values.text },
    ]),
    argument: { name: values.text, value: values.text },
    ...values.some({ context: () => values.some({ arguments: () => values.textMap }) }),
  }),
};

const sessionRequests: Readonly<Record<string, Make>> = {
  ...requests,
  ping: nothing,
  'resources/subscribe': uri,
  'resources/unsubscribe': uri,
  'logging/setLevel': (values) => ({ level: values.random.oneOf(levels) }),
};

/** The request with the most members. */
const initialize: readonly [string, Make] = [
  'initialize',
  (values) => ({
    protocolVersion: values.random.oneOf([...sessionVersions, values.text]),
    capabilities: { ...values.capabilities, ...values.some({ tasks: () => values.tasks }) },
    clientInfo: values.implementation,
  }),
];

const sessionlessRequests: Readonly<Record<string, Make>> = {
  ...requests,
  'server/discover': nothing,
  'subscriptions/listen': (values) => ({
    notifications: values.some({
      toolsListChanged: () => true,
      promptsListChanged: () => false,
      resourcesListChanged: () => true,
      resourceSubscriptions: () => [values.text, values.text],
    }),
  }),
  'tasks/get': (values) => ({ taskId: values.text }),
  'tasks/cancel': (values) => ({ taskId: values.text }),
};

const cancelled: Make = (values) => ({ requestId: values.id, ...values.some({ reason: () => values.text }) });

const notifications: Readonly<Record<string, Make>> = {
  'notifications/initialized': nothing,
  'notifications/cancelled': cancelled,
  'notifications/progress': (values) => ({
    progressToken: values.id,
    progress: 0.5,
    ...values.some({ total: () => 10, message: () => values.text }),
  }),
  'notifications/roots/list_changed': nothing,
};

const answers: Readonly<Record<string, Make>> = {
  'elicitation/create': (values) => ({
    action: values.random.oneOf(['accept', 'decline', 'cancel']),
    ...values.some({ content: () => ({ a: values.text, b: 1.5, c: true, d: [values.text] }) }),
  }),
  'sampling/createMessage': (values) => ({
    role: values.random.oneOf(['user', 'assistant']),
    model: values.text,
    content: values.content,
    ...values.some({ stopReason: () => values.random.oneOf(['endTurn', values.text]) }),
  }),
  'roots/list': (values) => ({
    roots: [{ uri: 'file:///home/a', ...values.some({ name: () => values.text, _meta: () => values.object }) }, { uri: 'file:///home/b' }],
  }),
};

/** Returns a valid message of a client with a session (2024-11-05 to 2025-11-25), the same for the same random numbers. */
export function sessionMessage(random: Random): ClientMessage {
  const values = new Values(random);
  const version = random.oneOf(sessionVersions);
  const meta = random.chance(0.3) ? { _meta: values.meta } : {};
  const kind = random.below(10);
  if (kind < 6) {
    const [method, make] = random.chance(0.25) ? initialize : random.oneOf(Object.entries(sessionRequests));
    const params = { ...make(values), ...meta };
    const hasParams = Object.keys(params).length > 0 || random.chance(0.5);
    return { version, subject: method, message: { jsonrpc: '2.0', id: values.id, method, ...(hasParams ? { params } : {}) } };
  }
  if (kind < 8) {
    const [method, make] = random.oneOf(Object.entries(notifications));
    return { version, subject: method, message: { jsonrpc: '2.0', method, params: { ...make(values), ...meta } } };
  }
  const [method, make] = random.oneOf(Object.entries(answers));
  return { version, subject: `answer to ${method}`, message: { jsonrpc: '2.0', id: values.id, result: { ...make(values), ...meta } } };
}

/** Returns a valid request of a client without a session (2026-07-28), the same for the same random numbers. */
export function sessionlessMessage(random: Random): ClientMessage {
  const values = new Values(random);
  const [method, make] = random.oneOf(Object.entries(sessionlessRequests));
  const params = { ...make(values), _meta: values.envelope };
  return { version: requestVersion, subject: method, message: { jsonrpc: '2.0', id: values.id, method, params } };
}
