import { messageOf, ToolkitError } from '../../../../../kernel/index.ts';
import { type ContractCheck, fail, failIf } from '../contract-check.ts';
import { SkippedCheck, type Subject, serializeOptions } from '../subject.ts';

/** An option that no plugin has. */
const unknownOption = 'noSuchOptionAtAll';

/** Checks of the options. */
export const optionsChecks: readonly ContractCheck[] = [
  {
    title: 'refuses an option that it does not know, and names it',
    async run(subject) {
      await subject.withKernel(async () => {});
      const message = await refusalMessage(subject, { [unknownOption]: true });
      failIf(
        message === undefined,
        'Takes an option that it does not know: a mistyped one would be dropped in silence. Say "additionalProperties: false" in optionsSchema.',
      );
      failIf(message?.includes(unknownOption) === false, `Refuses an unknown option without naming it: "${message}".`);
    },
  },
  {
    title: 'has an options schema that can be written as JSON',
    run(subject) {
      const { optionsSchema } = subject.plugin();
      if (optionsSchema === undefined) return;
      const { type } = optionsSchema as { readonly type?: unknown };
      failIf(type !== 'object', `optionsSchema describes ${JSON.stringify(type)}: expected {type: "object", properties: {…}}.`);
      failIf(JSON.stringify(optionsSchema) === undefined, 'optionsSchema is no JSON Schema.');
    },
  },
  {
    title: 'leaves its options as they were',
    async run(subject) {
      await subject.withKernel(async () => {});
      failIf(
        serializeOptions(subject.options) !== subject.optionsBefore,
        'Changes the object of its options, which the configuration may use elsewhere. Copy it.',
      );
    },
  },
];

/** Returns the message of a kernel that refuses these options; undefined when it starts. */
async function refusalMessage(subject: Subject, more: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const { withOptions } = subject.plugin();
  if (withOptions === undefined) throw new SkippedCheck('not made by definePlugin');
  try {
    await (await subject.start(withOptions(more))).close();
    return undefined;
  } catch (error) {
    if (ToolkitError.is(error) && error.code === 'PLUGIN_INVALID') return error.message;
    return fail(`Meets a wrong option with "${messageOf(error)}" in place of a refusal (PLUGIN_INVALID). Describe it in optionsSchema.`);
  }
}
