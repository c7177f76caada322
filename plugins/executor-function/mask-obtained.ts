import { type CallContext, describeValue, ToolkitError } from '../../kernel/index.ts';

/**
 * Masks a secret that a function obtained itself, for the rest of its call. Throws EXECUTION_FAILED for an invalid name or a
 * value that is not a text: ignoring it would leave the secret unmasked without notice. The message never contains the value.
 */
export function maskObtainedSecret(context: Pick<CallContext, 'maskAlso'>, name: unknown, value: unknown): void {
  if (typeof name === 'string' && /^\w[\w .:-]{0,99}$/.test(name) && typeof value === 'string') {
    context.maskAlso(name, value);
    return;
  }
  const received = `${describeValue(name).slice(0, 50)} and a value of type ${value === null ? 'null' : typeof value}`;
  throw new ToolkitError(
    'EXECUTION_FAILED',
    `context.maskAlso expected a name of letters, digits and "_" and a text, received ${received}.`,
  );
}
