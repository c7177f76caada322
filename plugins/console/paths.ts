/** Paths of the console on its server. */
export const paths = {
  shell: '/console',
  /** Everything below the console. */
  below: '/console/',
  api: '/console/api/',
  assets: '/console/assets/',
  login: '/console/login',
  openid: '/console/login/openid',
  callback: '/console/login/callback',
} as const;
