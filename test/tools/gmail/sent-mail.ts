import { python } from '../../plugins/executor-http/python.ts';
import { json, type SeenRequest } from '../../support/loopback.ts';
import { packAgainst } from '../packs.ts';

export const token = 'ya29.a0-0123456789abcdefghij';

const ids = { id: '18c600000000000a', threadId: '18c600000000000a' };

/** The tools that compose a message, each with where its answer and its request have it. */
export const composers = [
  { tool: 'gmail_send_email', answer: { ...ids, labelIds: ['SENT'] }, messageOf: (body: Sent) => body },
  { tool: 'gmail_create_draft', answer: { id: 'r-1', message: { ...ids, labelIds: ['DRAFT'] } }, messageOf: (body: Sent) => body.message },
] as const;

export type Composer = (typeof composers)[number];

interface Message {
  readonly raw: string;
  readonly threadId?: string;
}

type Sent = Message & { readonly message: Message };

/** A message as another program reads it. */
export interface Mail {
  /** Decoded, by lower-case name; without those of MIME and those that differ from message to message. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly text: string;
  /** Defects that the parser reports. */
  readonly defects: readonly string[];
}

const readMail = `
import sys, json, base64, email, email.policy
raw = sys.stdin.read()
message = email.message_from_bytes(base64.urlsafe_b64decode(raw + '=' * (-len(raw) % 4)), policy=email.policy.default)
own = ('message-id', 'date', 'content-type', 'content-transfer-encoding', 'mime-version')
print(json.dumps({
  'headers': {name.lower(): str(value) for name, value in message.items() if name.lower() not in own},
  'contentType': message.get_content_type(), 'text': message.get_content().replace('\\r\\n', '\\n'),
  'defects': [str(defect) for part in message.walk() for defect in part.defects],
}))`;

export interface Composed {
  /** The JSON of the message, with what stands beside `raw`. */
  readonly message: Message;
  /** The message, one character a byte. */
  readonly bytes: string;
  readonly mail: Mail;
}

/** Runs the tool against a Gmail that takes everything, and reads what it was sent. */
export async function compose({ tool, answer, messageOf }: Composer, parameters: Readonly<Record<string, unknown>>): Promise<Composed> {
  const { toolkit, requests } = await packAgainst('gmail', (_request, response) => json(response, answer), {
    env: { GMAIL_ACCESS_TOKEN: token },
  });
  await toolkit.execute(tool, parameters);
  const message = messageOf(JSON.parse((requests[0] as SeenRequest).body) as Sent);
  return {
    message,
    bytes: Buffer.from(message.raw, 'base64url').toString('latin1'),
    mail: python(readMail, message.raw) as Mail,
  };
}
