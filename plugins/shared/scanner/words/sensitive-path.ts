/** Beginnings of a path to a hidden file or folder of a home folder. */
const home =
  /^(?:~|\$home|\$\{home\}|%userprofile%|%appdata%|\/root|[a-z]:[\\/]users[\\/][^\\/]{1,64}|\/(?:home|users)\/[^\\/]{1,64})[\\/]+\./;

/** Names of files that hold secrets. */
const secretFile =
  /^(?:\.env(?:\.[\w-]{1,32})?|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.htpasswd|\.\w{1,8}_history|id_(?:rsa|dsa|ecdsa|ed25519)|wallet\.dat|mcp\.json|claude_desktop_config\.json|cookies\.sqlite)$/;

/** Folders that hold secrets, and files of the system that do. */
const secretFolder =
  /(?:^|[\\/])(?:\.ssh|\.aws|\.gnupg|\.kube|\.azure|\.docker|\.cursor|\.config[\\/]gcloud|\.password-store)(?:[\\/]|$)|^\/etc\/(?:passwd|shadow|sudoers)$|^\/proc\/(?:self|\d{1,8})\/environ$/;

/** True for a path that leads to secrets: a hidden file of a home folder, a key, a file of credentials. `word` is in lower case. */
export function isSensitivePath(word: string): boolean {
  if (!/[~./\\_]/.test(word)) return false;
  const last = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  if (secretFile.test(last) || secretFolder.test(word) || home.test(word)) return true;
  return /[\\/]/.test(word) && /\.(?:pem|key|kdbx|p12|pfx)$/.test(last) && /^[~./]/.test(word);
}
