import { existsSync } from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import {
  apiVersion,
  ask,
  type CallContext,
  type DraftCall,
  definePlugin,
  deny,
  discard,
  excerpt,
  sentence,
  ToolkitError,
} from '../../kernel/index.ts';
import { approvalPractice } from '../shared/approval/approval-practice.ts';
import { askPerson } from '../shared/approval/ask-person.ts';
import { refuseWhereClientCannotAsk } from '../shared/approval/client-cannot-ask.ts';
import { ApproversCheck } from './approvers-check.ts';
import { compileRules } from './compile-rules.ts';
import { DefaultSchema, type RuleDefinition, RuleSchema } from './definition.ts';
import { rulesFlags } from './flags.ts';
import { type Decision, Policy } from './policy.ts';
import { pathOf } from './policy-file.ts';
import { PolicySource } from './policy-source.ts';
import type { Rule } from './rule.ts';
import { watchFile } from './watch-file.ts';

/** Late stage: sees the parameters after all other plugins. */
const lastStage = 1000;

/**
 * Applies rules to calls, from a file and from the configuration: the first matching rule allows, asks or denies. Rules only restrict; a call that
 * another plugin holds back stays held back. A file that is invalid at the start fails the start; one that becomes invalid later leaves the rules as
 * they were. An `ask` goes to the person at the client, when the client can ask (MCP: elicitation); otherwise the call is refused.
 */
export const policyRules = definePlugin({
  name: 'policy-rules',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /**
       * YAML file with `default` and `rules`, relative to the folder of the configuration. A file named here must exist; the default one may be absent.
       * @default 'policy.yaml'
       */
      file: Type.Optional(Type.String({ minLength: 1 })),
      /** Rules that are checked before those of the file. */
      rules: Type.Optional(Type.Array(RuleSchema)),
      /** Effects by risk, for calls that no rule matches. Where the file has others, the stricter ones apply. */
      default: Type.Optional(DefaultSchema),
      /** Logs what the policy would do, without doing it. @default false */
      shadow: Type.Optional(Type.Boolean()),
      /** Reloads the file when it changes. @default true */
      watch: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  flags: rulesFlags,
  async apply(kernel, options) {
    const { file: configuredFile, rules = [], default: defaults = {}, shadow = false, watch = true } = options;
    if (Object.keys(options).length > 0) kernel.extend.fact(approvalPractice, { kind: 'rules' });
    const file = path.resolve(kernel.cwd, configuredFile ?? 'policy.yaml');
    kernel.extend.controlFiles(file, { what: 'the rules of the policy' });
    const { logger } = kernel;
    const isWatched = logger.debug !== discard;
    const inline = await compileInlineRules(rules);
    let policy = new Policy(inline, defaults);
    const approvers = new ApproversCheck(() => kernel.kernel);
    const check = (next: Policy): void => (shadow ? undefined : approvers.check(next));
    const source = new PolicySource({ file, isRequired: configuredFile !== undefined, rules: inline, defaults, logger, check }, (next) => {
      policy = next;
    });
    // The ways to approve are known when all plugins are applied; the rules are read before.
    kernel.extend.ready(() => {
      approvers.begin();
      check(policy);
    });
    let endWatch: (() => void) | undefined;
    kernel.hooks.dispose.tapPromise('policy-rules', async () => {
      endWatch?.();
      await source.settled;
    });
    kernel.hooks.beforeExecute.tap({ name: 'policy-rules', stage: lastStage }, (draft, context) => {
      const decision = policy.decide(draft);
      report(decision, { shadow, isWatched }, draft, context);
      return shadow ? undefined : applyDecision(draft, decision);
    });
    kernel.hooks.approve.tapPromise('policy-rules', async (request, context) =>
      request.reason.kind === 'rule' ? askPerson(request, context) : undefined,
    );
    refuseWhereClientCannotAsk(kernel, 'rule');
    kernel.hooks.serve.tapPromise('policy-rules', async () => {
      if (!watch || endWatch !== undefined) return;
      endWatch = watchFile(file, () => source.reload(), logger);
      await source.load();
    });
    kernel.extend.reload(() => source.reload());
    // Watch before the first read, so that no change is missed between them.
    if (watch && existsSync(file)) endWatch = watchFile(file, () => source.reload(), logger);
    await source.load();
  },
});

/** Compiles the rules of the options. Throws PLUGIN_INVALID for an invalid condition. */
async function compileInlineRules(definitions: readonly RuleDefinition[]): Promise<readonly Rule[]> {
  const { rules, problems } = await compileRules(definitions, '');
  if (problems.length === 0) return rules;
  const issues = problems.map(({ pointer, message }) => ({ path: pathOf(pointer), pointer, message }));
  const text = issues.map(({ path: field, message }) => `${field} ${message}`).join('; ');
  throw new ToolkitError('PLUGIN_INVALID', sentence(`The options of plugin "policy-rules" are wrong: ${text}`), { issues });
}

function applyDecision(draft: DraftCall, { effect, message, version, approvers }: Decision): DraftCall | undefined {
  if (effect === 'allow') return undefined;
  if (effect === 'deny') return deny(draft, { kind: 'rule', message });
  const demands = { ...(version === undefined ? {} : { version }), ...(approvers === undefined ? {} : { approvers }) };
  return ask(draft, { kind: 'rule', message, ...demands });
}

function report(
  { effect, message, shadows, warnings }: Decision,
  { shadow: isShadow, isWatched }: { readonly shadow: boolean; readonly isWatched: boolean },
  { tool, caller }: DraftCall,
  context: CallContext,
): void {
  const meta = { tool: tool.name, caller };
  // Mask before cutting: half a secret would not be recognized.
  for (const warning of warnings) context.logger.warn(excerpt(context.mask(warning), 300), meta);
  for (const shadow of shadows) context.logger.info(`policy in shadow would ${shadow.effect}: ${shadow.message}`, meta);
  if (isShadow && effect !== 'allow') context.logger.info(`policy in shadow would ${effect}: ${message}`, meta);
  else if (isWatched) context.logger.debug(`policy: ${effect}: ${message}`, meta);
}
