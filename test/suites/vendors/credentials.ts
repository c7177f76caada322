/** Variables of the environment of the suite: values that look like real credentials. */
export const environment = {
  SLACK_BOT_TOKEN: 'xoxb-not-a-real-token-4fQ7mZ2bWk',
  SLACK_USER_TOKEN: 'xoxp-not-a-real-token-9cR1tY8vLd',
  GITHUB_TOKEN: 'ghp_NotARealToken7hJ2kS5nPq8xV1zB4mC6',
  GMAIL_ACCESS_TOKEN: 'ya29.not-a-real-token-Bd3Hf6Kj9Mn',
  NOTION_API_KEY: 'ntn_NotARealToken2Wq5Er8Ty1Ui4Op7',
  TWILIO_ACCOUNT_SID: 'AC0123456789abcdef0123456789abcdef',
  TWILIO_AUTH_TOKEN: 'feedbeef0badcafe76543210fedcba98',
  TWILIO_FROM_NUMBER: '+15557122661',
  HUBSPOT_ACCESS_TOKEN: 'pat-na1-not-a-real-token-6Zx9Cv2Bn5M',
  MAILCHIMP_API_KEY: 'deadbeef13579bdf02468ace00112233-us21',
  MAILCHIMP_SERVER_PREFIX: 'us21',
  POSTGRES_HOST: '127.0.0.1',
  POSTGRES_USER: 'reader',
  POSTGRES_PASSWORD: 'not-a-real-password-8Lk3',
  POSTGRES_DATABASE: 'shop',
} as const;

/** Those that nobody may see. */
export const secretNames = [
  'SLACK_BOT_TOKEN',
  'SLACK_USER_TOKEN',
  'GITHUB_TOKEN',
  'GMAIL_ACCESS_TOKEN',
  'NOTION_API_KEY',
  'TWILIO_AUTH_TOKEN',
  'HUBSPOT_ACCESS_TOKEN',
  'MAILCHIMP_API_KEY',
  'POSTGRES_PASSWORD',
] as const;

/** A template of the catalogue, such as `Bearer {GITHUB_TOKEN}`, with the values of the environment. */
export function filled(template: string): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => (environment as Readonly<Record<string, string>>)[name] ?? `{${name}}`);
}
