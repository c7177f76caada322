import { apiVersion, ask, type DraftCall, definePlugin, isPlainObject } from '../../kernel/index.ts';

/** Late, so that it sees the parameters as every other plugin has left them. */
const decidesLast = 1000;

/**
 * The gate of `requires_approval`. It holds calls that come from a model; host code passes. In flag mode the caller's own word
 * (`_toolkit_approved: true` over MCP) opens it, as the specification says.
 */
export const approvalGate = definePlugin({
  name: 'approval-gate',
  apiVersion,
  enforces: ['requires_approval'],
  apply(kernel) {
    kernel.hooks.beforeExecute.tap({ name: 'approval-gate', stage: decidesLast }, (draft) => {
      if (draft.origin !== 'model' || !isGated(draft)) return undefined;
      return ask(draft, {
        kind: 'gate',
        message:
          'its definition requires approval. Ask the person you work for; when they agree, call it again with the argument _toolkit_approved: true',
      });
    });
    kernel.hooks.approve.tap('approval-gate', ({ call, reason }) =>
      reason.kind === 'gate' && call.approved ? { approved: true, by: 'flag' } : undefined,
    );
  },
});

/**
 * `true` always gates; a map gates when any parameter named in it has the value given. A map that cannot be asked, because it is empty
 * or names what is not a parameter of the tool, always gates.
 */
function isGated({ tool, parameters }: DraftCall): boolean {
  const gate = tool.definition.requires_approval;
  if (typeof gate !== 'object') return gate === true;
  const conditions = Object.entries(gate);
  const matches = ([name, value]: [string, unknown]): boolean =>
    !Object.hasOwn(tool.parameters, name) || canonical(parameters[name]) === canonical(value);
  return conditions.length === 0 || conditions.some(matches);
}

/** JSON in which the order of keys does not matter. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, member: unknown) =>
    isPlainObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
