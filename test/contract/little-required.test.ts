import { expect } from 'chai';
import { isPlainObject } from '../../kernel/index.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const shipped = toolkit.listTools();
await toolkit.close();

/**
 * Members by which a caller goes on after a write: what the thing is called from now on, where it is, and that it was done. All else may be missing in
 * an answer, which does not undo the write.
 */
const goesOn = new Set([
  ...['id', 'number', 'sid', 'sha', 'ts', 'key', 'channel', 'threadId', 'name', 'full_name', 'login'],
  ...['url', 'html_url', 'object'],
  ...['ok', 'success', 'errors', 'merged'],
]);

/** Lists of `required` in a schema, at any depth and through its references, each with where it stands. */
function requiredIn(
  schema: unknown,
  defs: unknown,
  at = '',
  seen: readonly unknown[] = [],
): readonly (readonly [string, readonly string[]])[] {
  if (Array.isArray(schema)) return schema.flatMap((item, index) => requiredIn(item, defs, `${at}/${index}`, seen));
  if (!isPlainObject(schema) || seen.includes(schema)) return [];
  const within = [...seen, schema];
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].replace('#/$defs/', '') : undefined;
  const target = name !== undefined && isPlainObject(defs) ? defs[name] : undefined;
  if (name !== undefined) expect(target, `${at}/$ref ${name}`).to.not.equal(undefined);
  return [
    ...(Array.isArray(schema['required']) ? [[at, schema['required'] as string[]] as const] : []),
    ...requiredIn(target, defs, `${at}/${name}`, within),
    ...Object.entries(schema).flatMap(([key, value]) =>
      key === '$defs' || key === 'required' ? [] : requiredIn(value, defs, `${at}/${key}`, within),
    ),
  ];
}

/** Their answers are made by a service or by a program that we do not write. */
const providers = ['slack', 'github', 'gmail', 'hubspot', 'mailchimp', 'notion', 'twilio', 'apiclient'];

describe('the output schema of a shipped tool that may change something', () => {
  const tools = shipped.filter(
    ({ provider, annotations }) => providers.includes(provider?.name ?? '') && annotations.readOnlyHint !== true,
  );

  it('requires only what its caller needs to go on', () => {
    expect(tools.map(({ provider }) => provider?.name)).to.include.members(providers);
    const over = tools.flatMap(({ name, outputSchema }) =>
      requiredIn(outputSchema, outputSchema?.['$defs']).flatMap(([at, required]) =>
        required.filter((member) => !goesOn.has(member)).map((member) => `${name}${at}: ${member}`),
      ),
    );
    expect(over).to.deep.equal([]);
  });
});
