import { isPlainObject, refuseValue, ToolkitError } from '../../../kernel/index.ts';

const fields = [
  'from',
  'to',
  'cc',
  'bcc',
  'reply_to',
  'subject',
  'body',
  'is_html',
  'text',
  'html',
  'in_reply_to',
  'references',
  'attachments',
] as const;
type Field = (typeof fields)[number];

const addressFields: readonly Field[] = ['from', 'to', 'cc', 'bcc', 'reply_to'];

interface Attachment {
  readonly filename?: string;
  readonly content: Buffer;
  readonly contentType?: string;
}

interface ParsedAddress {
  readonly address?: string | undefined;
  readonly group?: readonly ParsedAddress[] | undefined;
}

/**
 * Returns an e-mail message (RFC 5322) as base64url without padding. Sources: from, to, cc, bcc, reply_to, subject, text,
 * html, body (which is text, or HTML where is_html is true), in_reply_to, references, attachments
 * (`[{filename, content_base64, content_type}]`). `options.fields` maps other parameter names onto these.
 * Bcc stays in the message, because the service has no other envelope.
 */
export async function mimeMessage(values: Readonly<Record<string, unknown>>, options: Readonly<Record<string, unknown>>): Promise<string> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { default: parseAddresses } = await import('nodemailer/lib/addressparser');
  const renamed = isPlainObject(options['fields']) ? options['fields'] : {};
  const mail: Partial<Record<Field, unknown>> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = fieldOf(name, renamed[name] ?? name);
    mail[field] = fieldValue(field, name, value);
    if (addressFields.includes(field)) refuseNonAddresses(name, value, parseAddresses);
  }
  const { reply_to: replyTo, in_reply_to: inReplyTo, body, is_html: isHtml, ...rest } = mail;
  const content = body === undefined ? {} : isHtml === true ? { html: body } : { text: body };
  const composer = new MailComposer({ ...rest, ...content, replyTo, inReplyTo, disableFileAccess: true, disableUrlAccess: true } as object);
  const message = composer.compile();
  message.keepBcc = true;
  return (await message.build()).toString('base64url');
}

function fieldOf(name: string, mapped: unknown): Field {
  const field = fields.find((known) => known === mapped);
  if (field !== undefined) return field;
  throw new ToolkitError(
    'TOOL_INVALID',
    `parameter_encoding mime_rfc2822_base64url has no field for the source "${name}". Expected one of ${fields.join(', ')}; map others with options.fields.`,
  );
}

/** Returns the value of a mail field, as a copy, because the composer changes its arguments. */
function fieldValue(field: Field, name: string, value: unknown): unknown {
  if (field === 'attachments') return attachmentsOf(name, value);
  if (field === 'is_html') return value === true;
  if (field === 'text' || field === 'html' || field === 'body')
    // CR and LF occur only together (RFC 5322, 2.3).
    return typeof value === 'string' ? value.replace(/\r\n|\r|\n/g, '\r\n') : refuseValue(name, 'a string');
  refuseLineBreaks(name, value);
  return structuredClone(value);
}

/** Refuses line breaks, also inside a list or an object (`{name, address}`). */
function refuseLineBreaks(name: string, value: unknown): void {
  if (typeof value === 'string' && /[\r\n]/.test(value))
    refuseValue(name, 'a value without line breaks, because it is part of a mail header');
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) refuseLineBreaks(name, member);
}

/**
 * Refuses values that are no addresses. The composer would leave them out, and the message would go to fewer people than its
 * author expects.
 */
function refuseNonAddresses(name: string, value: unknown, parse: (text: string) => readonly ParsedAddress[]): void {
  const isAddress = ({ address, group }: ParsedAddress): boolean => group?.every(isAddress) ?? /^.+@[^@\s]+$/.test(address ?? '');
  const parsed = [value].flat().flatMap((entry) => (typeof entry === 'string' ? parse(entry) : [entry as ParsedAddress]));
  if (!parsed.every((entry) => isPlainObject(entry) && isAddress(entry)))
    refuseValue(name, 'addresses with an "@", separated by commas, such as ada@example.com or Ada <ada@example.com>');
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
