import { hash, randomUUID } from 'node:crypto';
import { type CallToHold, messageOf, ToolkitError } from '../../kernel/index.ts';
import type { Owner } from './records/record-keys.ts';

/** The digests of a held call, each sha256 in hex. */
export interface CallDigests {
  /** Equal calls of a caller have the same, whatever the order of their keys. A call with credentials of its own equals no other. */
  readonly callHash: string;
  /** Everything that an approval is bound to. */
  readonly digest: string;
  /** The reasons for asking, with the versions of their rules. */
  readonly policy: string;
  /** The parts behind `digest`, for naming changes. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Computes the digests over canonical JSON (RFC 8785). Throws INVALID_PARAMETERS for parameters without a canonical form. */
export async function callDigests({ call, reasons, bindings }: CallToHold, { tenant, caller }: Owner): Promise<CallDigests> {
  const { default: canonicalize } = await import('canonicalize');
  const digestOf = (value: unknown): string => hash('sha256', String(canonicalize(value)), 'hex');
  const { tool, parameters, once, ownCredentials } = call;
  try {
    const ofParameters = digestOf(parameters);
    const policy = digestOf(reasons.map(({ kind, message, version = '' }) => (version === '' ? { kind, message } : { kind, version })));
    const parts = { ...bindings, parameters: ofParameters, policy };
    const callHash = ownCredentials.size > 0 ? randomUUID() : digestOf([tool.name, ofParameters, once ?? null]);
    return { callHash, policy, parts, digest: digestOf([parts, tool.name, tenant, caller]) };
  } catch (error) {
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `The parameters of "${tool.name}" cannot be approved, they have no canonical form (RFC 8785): ${messageOf(error)}. Correct them.`,
      { tool: tool.name },
      { cause: error },
    );
  }
}
