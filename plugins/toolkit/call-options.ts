import { didYouMean, type ExecuteOptions, ToolkitError } from '../../kernel/index.ts';

const knownOptions: Readonly<Record<keyof ExecuteOptions, true>> = {
  accountTenant: true,
  approval: true,
  approved: true,
  caller: true,
  client: true,
  credentials: true,
  isHeld: true,
  isListed: true,
  isTrial: true,
  isVisible: true,
  onProgress: true,
  onTap: true,
  once: true,
  origin: true,
  signal: true,
  tenant: true,
  trace: true,
};

/**
 * Throws INVALID_PARAMETERS for an unknown option: a mistyped `credentials` would run the call with those of the service, a mistyped `origin`
 * without the approval that a model needs.
 */
export function checkCallOptions(toolName: string, options: object): void {
  const unknownOption = Object.keys(options).find((name) => !Object.hasOwn(knownOptions, name));
  if (unknownOption === undefined) return;
  const names = Object.keys(knownOptions);
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `The call of "${toolName}" has the option "${unknownOption}", which no call has.${didYouMean(unknownOption, names)} Expected ${names.join(', ')}.`,
    { tool: toolName },
  );
}
