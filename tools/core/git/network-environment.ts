import { lastValue, type Settings } from './settings.ts';

/**
 * Variables for the network that the service itself uses: the proxy of the machine, and the agent that holds the SSH keys. git
 * decides when a proxy applies.
 */
const ways = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy', 'NO_PROXY', 'no_proxy', 'SSH_AUTH_SOCK'];

/** Returns the variables for a git that reaches a remote with these protocols only. */
export function networkEnvironment(protocols: ReadonlySet<string>, { users }: Settings): Readonly<Record<string, string>> {
  const ssh = lastValue(users, 'core.sshcommand') ?? 'ssh';
  return {
    ...Object.fromEntries(ways.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
    GIT_ALLOW_PROTOCOL: [...protocols].join(':'),
    GIT_SSH_COMMAND: `${ssh} -o BatchMode=yes`,
    GIT_SSH_VARIANT: lastValue(users, 'ssh.variant') ?? 'auto',
  };
}
