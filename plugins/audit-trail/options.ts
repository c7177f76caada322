import Type, { type Static } from 'typebox';

export const AuditTrailOptionsSchema = Type.Object(
  {
    /**
     * The folder, or the file, that is written; relative to the configuration. A folder, `trail/`, ends with `/` or is there already: any number
     * of processes of one machine write it, each a file of its own. A file, `calls.jsonl`, has one process at a time: `<path>.lock` names it.
     * Files are created with mode 0600, folders, when missing, with 0700. `<file>.head` names the last record of a file. A symbolic link is refused.
     */
    path: Type.String({ minLength: 1 }),
    /** Size in bytes that a file never exceeds: before, it becomes `<file>.<n>`, with the next number. @default 50 MiB */
    maxBytes: Type.Optional(Type.Integer({ minimum: 64 * 1024 })),
    /** Number of rotated files that are kept, in a folder of each segment; 0 keeps all. @default 10 */
    keep: Type.Optional(Type.Integer({ minimum: 0 })),
    /** What happens to calls while the trail cannot be written: they are refused (`closed`), or run without (`open`). @default 'closed' */
    onFailure: Type.Optional(Type.Enum(['closed', 'open'])),
    /** What a record says of the parameters: their values with secrets masked and long ones cut, their names, or nothing. @default 'masked' */
    parameters: Type.Optional(Type.Enum(['masked', 'names', 'none'])),
    /**
     * `each` waits for the disk after each write: no record is lost by a power failure, and each call takes some milliseconds longer. `never`
     * leaves that to the operating system: none is lost by the end of the process, however that comes. A rotated file is always on disk.
     * @default 'never'
     */
    fsync: Type.Optional(Type.Enum(['never', 'each'])),
    /** Makes the hashes HMACs, so that nobody without it can write records that verify. Text; the same for the whole life of a trail. */
    key: Type.Optional(Type.String({ minLength: 16 })),
  },
  { additionalProperties: false },
);

export type AuditTrailOptions = Static<typeof AuditTrailOptionsSchema>;
