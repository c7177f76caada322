import { isPlainObject, refuseValue, ToolkitError } from '../../kernel/index.ts';

const fields = ['from', 'to', 'cc', 'bcc', 'reply_to', 'subject', 'text', 'html', 'in_reply_to', 'references', 'attachments'] as const;
type Field = (typeof fields)[number];

interface Attachment {
  readonly filename?: string;
  readonly content: Buffer;
  readonly contentType?: string;
}

/**
 * An e-mail message (RFC 5322) as base64url without padding. Sources: from, to, cc, bcc, reply_to, subject, text, html, in_reply_to,
 * references, attachments (`[{filename, content_base64, content_type}]`); `options.fields` maps other parameter names onto these.
 * Bcc stays in the message, because the service that gets it has no other envelope.
 */
export async function mimeMessage(values: Readonly<Record<string, unknown>>, options: Readonly<Record<string, unknown>>): Promise<string> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const renamed = isPlainObject(options['fields']) ? options['fields'] : {};
  const mail: Partial<Record<Field, unknown>> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = fieldOf(name, renamed[name] ?? name);
    mail[field] = fieldValue(field, name, value);
  }
  const { reply_to: replyTo, in_reply_to: inReplyTo, ...rest } = mail;
  const composer = new MailComposer({ ...rest, replyTo, inReplyTo, disableFileAccess: true, disableUrlAccess: true } as object);
  const message = composer.compile();
  message.keepBcc = true;
  return (await message.build()).toString('base64url');
}

function fieldOf(name: string, wanted: unknown): Field {
  const field = fields.find((known) => known === wanted);
  if (field !== undefined) return field;
  throw new ToolkitError(
    'TOOL_INVALID',
    `parameter_encoding mime_rfc2822_base64url has no field for the source "${name}". Expected one of ${fields.join(', ')}; map others with options.fields.`,
  );
}

/** A copy, because the composer changes what it is given. */
function fieldValue(field: Field, name: string, value: unknown): unknown {
  if (field === 'attachments') return attachmentsOf(name, value);
  if (field === 'text' || field === 'html') return typeof value === 'string' ? value : refuseValue(name, 'a string');
  refuseLineBreaks(name, value);
  return structuredClone(value);
}

/** In a list or an object (`{name, address}`) as well. */
function refuseLineBreaks(name: string, value: unknown): void {
  if (typeof value === 'string' && /[\r\n]/.test(value))
    refuseValue(name, 'a value without line breaks, because it is part of a mail header');
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) refuseLineBreaks(name, member);
}

function attachmentsOf(name: string, value: unknown): Attachment[] {
  return [value].flat().map((file: unknown) => {
    const { filename, content_base64: content, content_type: contentType } = isPlainObject(file) ? file : {};
    refuseLineBreaks(name, [filename, contentType]);
    if (typeof content !== 'string' || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(content))
      return refuseValue(name, 'attachments {filename, content_base64, content_type} with content in base64');
    return {
      content: Buffer.from(content, 'base64'),
      ...(typeof filename === 'string' ? { filename } : {}),
      ...(typeof contentType === 'string' ? { contentType } : {}),
    };
  });
}
