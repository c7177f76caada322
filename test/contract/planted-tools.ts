/** Parameters of a tool; `values` are the planted values of the call. */
export interface PlannedCall {
  readonly title: string;
  readonly tool: string;
  readonly parameters?: (values: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>>;
  /** The secrets as their hashes are to be found in the output, which shows that the call had them. */
  readonly shows?: readonly string[];
  /** It leaves something running that fails when the call has ended. */
  readonly leaves?: boolean;
  /** Nothing of its output may even be masked: it is an environment in which no secret has a place. */
  readonly isClean?: boolean;
}

export const failures = [
  'error',
  'cause',
  'aggregate',
  'string',
  'list',
  'object',
  'instance',
  'properties',
  'toolkit',
  'details',
] as const;

const both = ['PLAIN_TOKEN', 'WILD_SECRET'];

const functions: Readonly<Record<string, string | object>> = {
  js_show: './tools.mjs#show',
  js_env: './tools.mjs#env',
  js_note: './tools.mjs#note',
  js_fail: './tools.mjs#fail',
  js_fail_cut: './tools.mjs#fail_cut',
  js_instance: './tools.mjs#instance',
  js_ask: './tools.mjs#ask',
  js_nest: './tools.mjs#nest',
  js_echo: './tools.mjs#echo',
  js_gated: './tools.mjs#echo',
  js_denied: './tools.mjs#echo',
  thread_show: { code: './tools.mjs#show', worker: true },
  thread_env: { code: './tools.mjs#env', worker: true },
  thread_note: { code: './tools.mjs#note', worker: true },
  thread_fail: { code: './tools.mjs#fail', worker: true },
  thread_fail_cut: { code: './tools.mjs#fail_cut', worker: true },
  thread_stray: { code: './tools.mjs#stray', worker: true },
  python_show: './tools.py#show',
  python_ascii: './tools.py#ascii',
  python_quoted: './tools.py#quoted',
  python_print_cut: './tools.py#print_cut',
  python_exit: './tools.py#exit',
  python_env: './tools.py#env',
  python_note: './tools.py#note',
  python_fail: './tools.py#fail',
  python_fail_cut: './tools.py#fail_cut',
};

const command = (args: readonly string[], more: object = {}): object => ({ type: 'command', command: 'node', args, ...more });
const given = { env: { WILD: '{WILD_SECRET}' }, stdin: '{PLAIN_TOKEN}' };

function executions(serviceUrl: string): Record<string, object> {
  const web = (path: string): object => ({
    type: 'http',
    method: 'post',
    url: `${serviceUrl}/${path}/{PLAIN_TOKEN}`,
    auth: [
      { type: 'basic', username: 'svc', password: '{WILD_SECRET}' },
      { type: 'header', name: 'X-Key', value: 'k {PLAIN_TOKEN}' },
      { type: 'query', name: 'wild', value: '{WILD_SECRET}' },
    ],
    body: { wild: '{WILD_SECRET}', text: 'a {WILD_SECRET} {PLAIN_TOKEN}' },
  });
  return {
    command_json: command(['program.mjs', 'show', '{PLAIN_TOKEN}', '{WILD_SECRET}'], { ...given, parse: 'json' }),
    command_text: command(['program.mjs', 'show', '{PLAIN_TOKEN}', '{WILD_SECRET}'], given),
    command_fail: command(['program.mjs', 'fail', '{WILD_SECRET}']),
    command_env: command(['program.mjs', 'show']),
    command_env_token: command(['program.mjs', 'show', '{ENV_TOKEN}'], { env: { TOKEN: '{ENV_TOKEN}' } }),
    web_echo: web('echo'),
    web_fail: web('fail'),
    web_refused: web('refused'),
    web_garbage: web('garbage'),
    web_elsewhere: web('elsewhere'),
  };
}

/** Definition files by name. */
export function definitions(serviceUrl: string): Record<string, string> {
  const parameters = { kind: { type: 'string' }, text: { type: 'string' }, mode: { type: 'string', enum: ['one', 'two'] } };
  const ofFunctions = Object.entries(functions).map(([name, code]) => ({
    name,
    secrets: name.endsWith('_env') ? [] : both,
    execution: { type: 'function', ...(typeof code === 'string' ? { code } : code) },
  }));
  const others = Object.entries(executions(serviceUrl)).map(([name, execution]) => ({ name, execution }));
  const files = [...ofFunctions, ...others].map((tool) => [
    `${tool.name}.yaml`,
    JSON.stringify({ ...tool, description: `The tool ${tool.name}.`, parameters }),
  ]);
  return Object.fromEntries(files) as Record<string, string>;
}

const withText: PlannedCall['parameters'] = (values) => ({ text: `${values['PLAIN_TOKEN']} and ${values['WILD_SECRET']}` });

export const plannedCalls: readonly PlannedCall[] = [
  ...['js_show', 'thread_show', 'python_show', 'command_json'].map((tool) => ({ title: tool, tool, shows: both })),
  { title: 'command_env_token', tool: 'command_env_token' },
  ...['thread_env', 'python_env', 'command_env'].map((tool) => ({ title: tool, tool, isClean: true })),
  ...Object.keys({ ...functions, ...executions('') })
    .filter((tool) => !/_(show|json|env|fail|gated|denied|echo|env_token)$/.test(tool))
    .map((tool) => ({ title: tool, tool, leaves: tool === 'thread_stray' })),
  ...['js_env', 'python_fail', 'command_fail', 'web_fail', 'web_echo'].map((tool) => ({ title: tool, tool })),
  ...['js_fail', 'thread_fail'].flatMap((tool) =>
    failures.map((kind) => ({ title: `${tool}, ${kind}`, tool, parameters: () => ({ kind }) })),
  ),
  ...['js_echo', 'js_gated', 'js_denied'].map((tool) => ({ title: `${tool}, given the values`, tool, parameters: withText })),
  { title: 'js_echo, given a value that is refused', tool: 'js_echo', parameters: (values) => ({ mode: values['PLAIN_TOKEN'] }) },
  { title: 'js_echo, given a name that is refused', tool: 'js_echo', parameters: (values) => ({ [values['PLAIN_TOKEN'] ?? '']: 1 }) },
];
