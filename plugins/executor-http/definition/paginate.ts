import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false } as const;

/** The name of a declared parameter that the request sends. */
const Parameter = Type.String({ minLength: 1 });

/** A dotted path into a JSON answer, such as `paging.next.after`. */
const Path = Type.String({ minLength: 1 });

/** The number of the first page. @default 1 */
const First = Type.Optional(Type.Integer({ minimum: 0, maximum: 1 }));

/**
 * The way in which a tool reads up to N items with several requests, and how a caller continues after them.
 *
 * An answer that is an object stays as it is; the last one gets all items in its list. An answer that is a list becomes
 * `{items, next}`, even for one request. Where the answer does not say how to continue (`page`, `link`, `url`), an object
 * without a member `next` gets one as well. `next` is null at the end. Otherwise it is the value of the parameter for the next
 * call, or an object of parameters and values where several are needed: those of `url`, and `page` with its size, because page
 * numbers depend on the size.
 *
 * A result has more items than the limit only where a page cannot be cut without losing some: without `size`; with a link to a
 * cursor or a `url`, whose page size stays the same; and where a service leaves items out of its numbered pages. The result
 * then says `meta.beyondLimit`. An empty page ends the list, unless the service names a next one: then three in a row do. A
 * call makes at most 1000 requests. `retry` applies to each of them, `timeout_ms` and the size limit of an answer to all
 * together. A failure after some pages has `partial: true`, `items` (the number read) and `resume` (where it failed, as in
 * `next`) in its details.
 */
export const PaginateSchema = Type.Object(
  {
    /** The dotted path of the list in the answer; `''` when the answer itself is the list. */
    items: Type.String(),
    /** A declared integer parameter: the limit of items in all. It is not sent. A call without it makes one request, as usual. */
    limit: Type.String({ minLength: 1 }),
    /** The parameter of the page size, and the largest size that the service allows. If `limit` is given, the size is chosen to fit it. */
    size: Type.Optional(Type.Object({ parameter: Parameter, maximum: Type.Integer({ minimum: 1, maximum: 100_000 }) }, closed)),
    /** The way to the next page. Exactly one of these. */
    next: Type.Object(
      {
        /** A value in the answer. No value, null, false or an empty text is the end. */
        cursor: Type.Optional(Type.Object({ path: Path, parameter: Parameter }, closed)),
        /** The page number. It goes on while pages are full, or, where there is a Link header about pages, while that names a next one. */
        page: Type.Optional(Type.Object({ parameter: Parameter, first: First }, closed)),
        /**
         * The query parameter of the URL in `Link: <…>; rel="next"` (RFC 8288). An integer parameter is a page number, any other a
         * cursor.
         */
        link: Type.Optional(Type.Object({ parameter: Parameter, first: First }, closed)),
        /**
         * The number of items before the page. `total_path`: the path of the total number in the answer; without it, a page that is
         * not full is the last.
         */
        offset: Type.Optional(Type.Object({ parameter: Parameter, total_path: Type.Optional(Path) }, closed)),
        /**
         * Query parameters of a URL in the answer, each with the declared parameter that sends it; also the page size, where it
         * matters. Host and path stay those of the tool.
         */
        url: Type.Optional(Type.Object({ path: Path, parameters: Type.Record(Type.String(), Parameter, { minProperties: 1 }) }, closed)),
      },
      { ...closed, minProperties: 1, maxProperties: 1 },
    ),
  },
  { ...closed, patternProperties: { '^x-': {} } },
);

export type Paginate = Static<typeof PaginateSchema>;
