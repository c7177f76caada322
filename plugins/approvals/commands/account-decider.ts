import { type Decider, ToolkitError } from '../../../kernel/index.ts';

/** Returns the decider of a command: the account of the operating system that runs it. Throws INVALID_PARAMETERS for an account without a name. */
export async function accountDecider(): Promise<Decider> {
  const { userInfo } = await import('node:os');
  try {
    return { way: 'command line', name: userInfo().username };
  } catch (error) {
    const message =
      'Nothing was decided: the account that runs this has no name, and a decision needs one. Run it as a user that the system knows by name.';
    throw new ToolkitError('INVALID_PARAMETERS', message, {}, { cause: error });
  }
}
