import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loopbackServer } from '../support/loopback.ts';
import { TokenServer } from '../support/oauth/token-server.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** A person whose provider issues planted values of every kind, and whose service repeats the token that it gets. */
export interface PlantedSite {
  readonly server: TokenServer;
  readonly cwd: string;
  /** File in which programs of tools note their command line and environment, outside of the working directory. */
  readonly noted: string;
  readonly env: Readonly<Record<string, string>>;
}

const clientSecret = 'vQ7mKx-secret"\\%41&=+/ü';

/** A token for people, whose claims are readable; nobody checks its signature. */
function idToken(issuer: string): string {
  const nowS = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: 'toolkit', sub: 'ann', email: 'ann@acme.example', iat: nowS, exp: nowS + 86_400, jti: 'vQ7mKx-claim' };
  const parts = [{ alg: 'RS256', kid: 'one' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...parts, 'vQ7mKx-signature'].join('.');
}

async function startServer(): Promise<TokenServer> {
  const values = {
    access: (random: string) => `vQ7mKx.access~${random}/+==`,
    refresh: (random: string) => `vQ7mKx"refresh\\%41&${random}`,
    code: (random: string) => `vQ7mKx code+/%41&"${random}`,
    device: (random: string) => `vQ7mKx-device"${random}`,
  };
  const server = await TokenServer.start({ issue: (kind, random) => values[kind](random) });
  server.clientSecret = clientSecret;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a secret that looks like a template.
  server.more = { id_token: idToken(server.url), wild: 'vQ7mKx {ACME_TOKEN} ${HOME} "wild" \\ vQ7mKx' };
  return server;
}

/** A service that repeats the token in many encodings, whether it accepts it or not. */
function startService(server: TokenServer): Promise<string> {
  return loopbackServer(({ url = '', headers }, _body, response) => {
    const token = (headers.authorization ?? '').replace('Bearer ', '');
    const shown = {
      headers,
      message: `${'x'.repeat(190)}${token}`,
      in64: Buffer.from(`u:${token}`).toString('base64'),
      encoded: encodeURIComponent(token),
      json: JSON.stringify({ token }),
      access_token: token,
    };
    const statuses: Readonly<Record<string, number>> = { '/fail': 400, '/refused': 401, '/broken': 500 };
    const status = server.accountOf(token) === undefined ? 401 : (statuses[url] ?? 200);
    const text = JSON.stringify(shown);
    response.writeHead(status, { 'content-type': 'application/json', 'x-echo': token }).end(url === '/garbage' ? text.slice(0, -1) : text);
  });
}

const reference = (name: string): string => `\${${name}}`;

function definition(tokens: string, service: string): unknown {
  return {
    provider: { name: 'acme' },
    base_url: service,
    auth: { type: 'bearer', token: '{ACME_TOKEN}' },
    oauth2: {
      issuer: tokens,
      auth_url: `${tokens}/authorize`,
      token_url: `${tokens}/token`,
      device_url: `${tokens}/device`,
      revoke_url: `${tokens}/revoke`,
      client_id: reference('ACME_CLIENT_ID'),
      client_secret: reference('ACME_CLIENT_SECRET'),
      scopes: { read: ['read'] },
      provides: { ACME_TOKEN: 'access_token', ACME_WILD: 'wild' },
      account_path: 'id_token.email',
    },
  };
}

const web = (url: string): object => ({
  execution: { type: 'http', method: 'get', url },
  examples: [{ description: 'One', parameters: {} }],
});

function tools(noted: string): Readonly<Record<string, object>> {
  const program = { type: 'command', command: 'node', args: ['tools/program.mjs', noted] };
  return {
    acme_echo: web('/echo'),
    acme_fail: web('/fail'),
    acme_refused: web('/refused'),
    acme_broken: web('/broken'),
    acme_garbage: web('/garbage'),
    acme_show: { secrets: ['ACME_TOKEN', 'ACME_WILD'], execution: { type: 'function', code: '../tools.mjs#show' } },
    acme_throw: { secrets: ['ACME_TOKEN', 'ACME_WILD'], execution: { type: 'function', code: '../tools.mjs#fail' } },
    acme_program: { execution: { ...program, env: { TOKEN: '{ACME_TOKEN}' } } },
    acme_plain: { execution: program },
  };
}

const code = `
const forms = ({ secrets }) => Object.values(secrets).flatMap((value) => [
  value, Buffer.from(value).toString('base64'), encodeURIComponent(value), JSON.stringify({ value }), String(new URLSearchParams({ value })),
]);
export const show = (_, context) => {
  for (const form of forms(context)) { context.logger.debug('note ' + form, { form }); context.progress(form); }
  return forms(context);
};
export const fail = (_, context) => { throw new Error(forms(context).join(' '), { cause: context.secrets }); };
`;

const program = `
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
const lineOf = (pid) => (existsSync('/proc/' + pid + '/cmdline') ? readFileSync('/proc/' + pid + '/cmdline', 'latin1') : '');
const { TOKEN = '', ...env } = process.env;
appendFileSync(process.argv[2], JSON.stringify({ env, line: lineOf('self'), parent: lineOf(process.ppid), length: TOKEN.length }) + '\\n');
console.log(JSON.stringify({ token: TOKEN, all: process.env }));
console.error(TOKEN);
`;

/** Makes the person's project, and starts the provider and the service; closed after the test. */
export async function plantedSite(): Promise<PlantedSite> {
  const server = await startServer();
  const service = await startService(server);
  const noted = path.join(await temporaryFolder(), 'noted.jsonl');
  const files = Object.entries(tools(noted)).map(([name, tool]) => [
    `tools/acme/${name}.yaml`,
    JSON.stringify({ name, description: `The tool ${name}.`, risk: 'low', ...tool }),
  ]);
  const cwd = await temporaryFolder({
    'package.json': '{ "name": "mine", "type": "module" }',
    'toolkit.config.json': JSON.stringify({
      plugins: [
        ['toolkit/standard', { toolPaths: ['tools'], includeCore: false, autoDiscover: false }],
        ['toolkit/plugins/audit-trail', { path: 'calls.jsonl' }],
      ],
    }),
    'tools/acme/definition.yaml': JSON.stringify(definition(server.url, service)),
    'tools/tools.mjs': code,
    'tools/program.mjs': program,
    ...Object.fromEntries(files),
  });
  const env = {
    HOME: cwd,
    XDG_STATE_HOME: path.join(cwd, 'state'),
    XDG_CACHE_HOME: path.join(cwd, 'cache'),
    TOOLKIT_LOG_LEVEL: 'debug',
    ACME_CLIENT_ID: 'toolkit',
    ACME_CLIENT_SECRET: clientSecret,
  };
  return { server, cwd, noted, env };
}

/** The lines that programs of tools noted. */
export function notedBy({ noted }: PlantedSite): readonly { readonly env: object; readonly line: string; readonly length: number }[] {
  const lines = readFileSync(noted, 'utf8').trimEnd().split('\n');
  // Own text: the program of the site wrote it.
  return lines.map((line) => JSON.parse(line));
}
