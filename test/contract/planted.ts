import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { compiled } from '../support/compiled.ts';
import { readings } from '../support/readings.ts';

/**
 * Values to look for. Each line of them has the mark in it, so that half a value is found as well; the second one holds what templates,
 * shells, URLs, JSON and YAML take for something else.
 */
export const planted: Readonly<Record<string, string>> = {
  PLAIN_TOKEN: 'vQ7mKx-plain-0123456789',
  WILD_SECRET:
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a secret that looks like a template.
    'vQ7mKx$HOME ${PATH} {PLAIN_TOKEN} {{text}} `vQ7mKx`\n"vQ7mKx zweite Zeile" — ünïcödé vQ7mKx\t🔑 \\ \'vQ7mKx\' a=b&c+d/e?f#g%20vQ7mKx',
};

/** The same values as an account supplies them: what an authorization server issues has no line end, and no tab. */
export const plantedTokens: Readonly<Record<string, string>> = {
  PLAIN_TOKEN: planted['PLAIN_TOKEN'] ?? '',
  WILD_SECRET: (planted['WILD_SECRET'] ?? '').replaceAll(/[\n\t]/g, ' '),
};

/** Variables in the environment of this process that a tool asks for. */
export const inEnvironment = { ENV_TOKEN: 'vQ7mKx-from-the-environment' };

/** Secrets that host code gives with single calls. */
export const ownOfCall: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...planted, ...inEnvironment }).map(([name, value]) => [name, value.replaceAll('vQ7mKx', 'wR8nOx')]),
);

const marks = ['vQ7mKx', 'wR8nOx'];

/**
 * Where a planted value, or one of `others`, shows in a value, in any encoding and at any depth: a few characters before it. Undefined when it
 * does not.
 */
export function leakIn(value: unknown, others: readonly string[] = []): string | undefined {
  const shown = typeof value === 'string' ? value : inspect(value, whole);
  const text = readings(shown, 2);
  const at = [...marks, ...others].map((mark) => text.indexOf(mark)).find((index) => index >= 0);
  return at === undefined ? undefined : text.slice(Math.max(0, at - 120), at + 30);
}

/** Everything that an object has, hidden properties too. */
const whole = {
  depth: Number.POSITIVE_INFINITY,
  showHidden: true,
  getters: true,
  maxStringLength: Number.POSITIVE_INFINITY,
  maxArrayLength: Number.POSITIVE_INFINITY,
  breakLength: Number.POSITIVE_INFINITY,
} as const;

/** A thread has no compiler. */
const kernelModule = pathToFileURL(await compiled('kernel/index.ts')).href;

const javaScript = `
import { createHash } from 'node:crypto';
import { ToolkitError } from '${kernelModule}';
const forms = ({ secrets }) => Object.values(secrets).flatMap((value) => [
  value, '<' + value + '>', Buffer.from(value).toString('base64'), Buffer.from('u:' + value).toString('base64url'),
  encodeURIComponent(value), String(new URLSearchParams({ value })), JSON.stringify({ value }), 'https://host/' + encodeURIComponent(value),
]);
const filler = 'x'.repeat(190);
const cut = ({ secrets }) => filler + secrets.WILD_SECRET;
class Failure { constructor(text) { this.message = text; this.inner = { text }; } }
const kinds = {
  error: (text) => new Error(text),
  cause: (text) => new Error('outer', { cause: new Error(text, { cause: text }) }),
  aggregate: (text) => new AggregateError([new Error(text)], text),
  string: (text) => text,
  list: (text) => [text, { text }],
  object: (text) => ({ message: text, [text]: text }),
  instance: (text) => new Failure(text),
  properties: (text) => Object.assign(new Error('failed'), { response: { headers: { authorization: text } } }),
  toolkit: (text) => new ToolkitError('BAD_REQUEST', text, { text, [text]: 1, issues: [{ path: text, message: text }] }, { cause: text }),
  details: (text) => new ToolkitError('BAD_REQUEST', 'failed', { error: new Error(text), failure: new Failure(text), map: new Map([[text, text]]) }),
};
export const show = (_, context) => context.withContent(
  { hashes: Object.values(context.secrets).map((value) => createHash('sha256').update(value).digest('hex')),
    forms: forms(context), keys: Object.fromEntries(forms(context).map((form, index) => [form, index])) },
  [{ type: 'text', text: forms(context).join('\\n') }],
);
export const env = () => ({ ...process.env });
export const note = (_, context) => {
  for (const form of forms(context)) {
    for (const level of ['error', 'warn', 'info', 'debug']) context.logger[level]('note ' + form, { form, nested: [{ [form]: new Error(form) }] });
    context.progress(form);
    context.progress({ message: form });
  }
  return 'noted';
};
export const fail = ({ kind }, context) => { throw kinds[kind](context.secrets.PLAIN_TOKEN + ' ' + context.secrets.WILD_SECRET); };
export const fail_cut = (_, context) => { throw new Error(cut(context)); };
export const stray = (_, context) => {
  setImmediate(() => { throw new Error(Buffer.from(context.secrets.PLAIN_TOKEN).toString('base64') + cut(context)); });
  return 'answered';
};
export const instance = (_, context) => { context.progress(new Failure(cut(context))); return 'told'; };
export const ask = async (_, context) => {
  const message = forms(context).join(' ');
  await context.client.elicit({ message, schema: { type: 'object', properties: { name: { type: 'string', description: message } } } });
  await context.client.sample({ messages: [{ role: 'user', content: { type: 'text', text: message } }], maxTokens: 9 });
  return 'asked';
};
export const nest = async (_, { tools }) => [await tools.call('js_show', {}), await tools.call('js_fail', { kind: 'error' }).catch(({ message }) => message)];
export const echo = (parameters) => parameters;
export default echo;
`;

const python = `
import base64, hashlib, json, os, sys, urllib.parse

def forms(context):
    for value in context.secrets.values():
        data = value.encode()
        yield from [value, '<%s>' % value, base64.b64encode(data).decode(), base64.urlsafe_b64encode(b'u:' + data).decode()]
        yield from [urllib.parse.quote_plus(value), json.dumps(value, ensure_ascii=False)]

def show(parameters, context):
    found = list(forms(context))
    hashes = [hashlib.sha256(value.encode()).hexdigest() for value in context.secrets.values()]
    output = {'hashes': hashes, 'forms': found, 'keys': {form: 1 for form in found}}
    return context.with_content(output, [{'type': 'text', 'text': '\\n'.join(found)}])

def ascii(parameters, context):
    return json.dumps(context.secrets)

def quoted(parameters, context):
    return [urllib.parse.quote(value, safe='') for value in context.secrets.values()]

def env(parameters, context):
    return dict(os.environ)

def note(parameters, context):
    for form in forms(context):
        for level in ('error', 'warn', 'info', 'debug'):
            context.log(level, 'note ' + form, form=form, nested=[{form: ValueError(form)}])
        context.progress(form)
        context.progress(1, 2, form)
    print(context.secrets['WILD_SECRET'])
    print(context.secrets['WILD_SECRET'], file=sys.stderr)
    return 'noted'

def print_cut(parameters, context):
    print(context.secrets['WILD_SECRET'] + 'x' * 1990)
    return 'printed'

def exit(parameters, context):
    print(context.secrets['WILD_SECRET'])
    os._exit(1)

def fail(parameters, context):
    raise ValueError('%s %s' % (context.secrets['PLAIN_TOKEN'], context.secrets['WILD_SECRET']))

def fail_cut(parameters, context):
    raise ValueError('x' * 475 + context.secrets['WILD_SECRET'])
`;

const program = `
import { createHash } from 'node:crypto';
const [, , how, ...values] = process.argv;
let stdin = '';
for await (const chunk of process.stdin) stdin += chunk;
if (how === 'fail') { console.error('x'.repeat(190) + values.join(' ')); process.exit(3); }
const forms = [...values, stdin, process.env.WILD ?? ''].flatMap((value) => [
  value, Buffer.from(value).toString('base64'), Buffer.from('u:' + value).toString('base64'), encodeURIComponent(value),
]);
const hashes = [...values, stdin, process.env.WILD ?? ''].map((value) => createHash('sha256').update(value).digest('hex'));
console.log(JSON.stringify({ hashes, env: process.env, forms }));
`;

export const toolFiles: Readonly<Record<string, string>> = { 'tools.mjs': javaScript, 'tools.py': python, 'program.mjs': program };
