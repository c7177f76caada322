import { lastValue, type Settings } from './settings.ts';

/** What the service itself uses to get out: the proxy of the machine, and the agent that holds the SSH keys. Not their values, but whether they apply is for git to decide. */
const ways = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy', 'NO_PROXY', 'no_proxy', 'SSH_AUTH_SOCK'];

/** Variables for a git that reaches a remote with these protocols and nothing else. */
export function networkEnvironment(protocols: ReadonlySet<string>, { users }: Settings): Readonly<Record<string, string>> {
  const ssh = lastValue(users, 'core.sshcommand') ?? 'ssh';
  return {
    ...Object.fromEntries(ways.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
    GIT_ALLOW_PROTOCOL: [...protocols].join(':'),
    GIT_SSH_COMMAND: `${ssh} -o BatchMode=yes`,
    GIT_SSH_VARIANT: lastValue(users, 'ssh.variant') ?? 'auto',
  };
}
