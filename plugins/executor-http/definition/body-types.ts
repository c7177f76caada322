import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false } as const;

/** Members of an execution that are its body. */
export const bodyKeys = ['body', 'form', 'multipart', 'body_file'] as const;

/** The body of a request. At most one of its keys. */
export const bodyMembers = {
  /** The body. An object or list is sent as JSON; a string as it is, with placeholder values escaped for its content type. */
  body: Type.Optional(Type.Unknown()),
  /**
   * Fields that are sent as application/x-www-form-urlencoded. A list becomes a repeated name, an object JSON, or as `value`,
   * `style`, `explode` and `allow_reserved` say, as in `query_params`.
   */
  form: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /**
   * Parts that are sent as multipart/form-data, in the order written. A part is a value (a list becomes a repeated name, an
   * object JSON), a value with a type or a style: `meta: { value: '{meta}', content_type: application/json }`, or a file:
   * `document: { file: '{document}' }`, where the parameter says `path: read`. Files are read while they are sent.
   */
  multipart: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { minProperties: 1 })),
  /**
   * A file that is sent as the body: `{name}` of a parameter with `path: read`. Its type is the header Content-Type, or follows
   * from the file extension.
   */
  body_file: Type.Optional(Type.String()),
};

const BodyContentSchema = Type.Object(bodyMembers, closed);

/** The body of one type. */
export type BodyContent = Static<typeof BodyContentSchema>;

/**
 * Several types of body, of which a parameter chooses one: `{ parameter: content_type, types: { application/json: { body: … },
 * application/xml: { body: '{body_xml}' } } }`. A parameter that only another type uses is refused.
 */
export const BodyTypesSchema = Type.Object(
  {
    /** The parameter whose value is one of the keys of `types`. Without a value, the first type is sent. */
    parameter: Type.String(),
    /** The body of each type, by the Content-Type that is sent with it. Exactly one of `body`, `form`, `multipart` and `body_file`. */
    types: Type.Record(Type.String(), BodyContentSchema, { minProperties: 1 }),
  },
  closed,
);

export type BodyTypes = Static<typeof BodyTypesSchema>;
