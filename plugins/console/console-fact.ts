import { defineFact } from '../../kernel/index.ts';

/** The login of a kernel's console, for the command of this plugin. */
export interface ConsoleLogin {
  /** True when people log in at an OpenID provider, and no code lets anybody in. */
  readonly usesOpenid: boolean;
  /** Returns true when another process of this configuration takes the code. */
  isShared(): boolean;
  /** Returns a new one-time code. */
  createCode(): Promise<string>;
}

export const consoleLogin = defineFact<ConsoleLogin>('console login');
