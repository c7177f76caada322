import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false } as const;

/** Name of a declared parameter that the request sends. */
const Parameter = Type.String({ minLength: 1 });

/** A dotted path into a JSON answer, such as `paging.next.after`. */
const Path = Type.String({ minLength: 1 });

/** Number of the first page. Default 1. */
const First = Type.Optional(Type.Integer({ minimum: 0, maximum: 1 }));

/**
 * How a tool gives up to N items over several requests, and how a caller goes on after them.
 *
 * An answer that is an object stays as it is, the last one with all items in its list. An answer that is a list becomes
 * `{items, next}`, also for one request. Where the answer itself does not say how to go on (`page`, `link`, `url`), an object without
 * a member `next` gets one as well. `next` is null at the end, else the value of the parameter to go on with, or an object of
 * parameters and values where it takes several: those of `url`, and `page` with its size, because pages are counted in their size.
 *
 * There are more items than were wanted only where a page cannot be cut without losing some: without `size`; with a link to a cursor or
 * a `url`, whose page size stays the same; and where a service leaves items out of its counted pages. The result then says
 * `meta.beyondLimit`. An empty page ends the list, unless the service names a next one: then three in a row do. A call makes at most
 * 1000 requests. `retry` is for each of them, `timeout_ms` and the size limit of an answer for all together. A failure after some pages
 * has `partial: true`, `items` (how many there were) and `resume` (where it failed, as in `next`) in its details.
 */
export const PaginateSchema = Type.Object(
  {
    /** Dotted path of the list in the answer; `''` when the answer itself is the list. */
    items: Type.String(),
    /** A declared integer parameter: up to so many items in all. It is not sent. A call without it makes one request, as usual. */
    limit: Type.String({ minLength: 1 }),
    /** The page size and the most that the service gives. With `limit` given the size is chosen to bring what is wanted. */
    size: Type.Optional(Type.Object({ parameter: Parameter, maximum: Type.Integer({ minimum: 1, maximum: 100_000 }) }, closed)),
    /** Exactly one. */
    next: Type.Object(
      {
        /** A value in the answer. None, null, false or an empty text is the end. */
        cursor: Type.Optional(Type.Object({ path: Path, parameter: Parameter }, closed)),
        /** The number of the page, while a page is full, or while the Link header names a next one where there is such a header. */
        page: Type.Optional(Type.Object({ parameter: Parameter, first: First }, closed)),
        /** The query parameter of the URL in `Link: <…>; rel="next"` (RFC 8288). An integer parameter is a page number, any other a cursor. */
        link: Type.Optional(Type.Object({ parameter: Parameter, first: First }, closed)),
        /** The number of items before the page. `total_path`: where the answer says how many there are; without it a page that is not full is the last. */
        offset: Type.Optional(Type.Object({ parameter: Parameter, total_path: Type.Optional(Path) }, closed)),
        /** Query parameters of a URL in the answer, each with the declared parameter that sends it; the page size too, where it matters. Host and path stay those of the tool. */
        url: Type.Optional(Type.Object({ path: Path, parameters: Type.Record(Type.String(), Parameter, { minProperties: 1 }) }, closed)),
      },
      { ...closed, minProperties: 1, maxProperties: 1 },
    ),
  },
  { ...closed, patternProperties: { '^x-': {} } },
);

export type Paginate = Static<typeof PaginateSchema>;
