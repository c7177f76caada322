import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false, patternProperties: { '^x-': {} } } as const;

/** An address, with `{NAME}` for a value of `parameter_mapping` that is no secret, such as a tenant. */
const Url = Type.String({ pattern: '^(https?://|\\$?\\{\\w+\\})' });

const Parameters = Type.Record(Type.String({ minLength: 1 }), Type.String());

/** A path of members, such as `authed_user.access_token`. */
const AnswerPath = Type.String({ pattern: '^[^.\\s]+(\\.[^.\\s]+)*$' });

/** The schema of `oauth2` of a provider: an OAuth 2.0 client at its authorization server (RFC 6749). */
export const OAuth2Schema = Type.Object(
  {
    /**
     * The way to a token: `code`, a person grants access in a browser (RFC 6749, 4.1); `device`, on another device (RFC 8628);
     * `client_credentials`, the program has access of its own (RFC 6749, 4.4). With `code`, a `device_url` offers the device too. @default code
     */
    grant: Type.Optional(Type.Enum(['code', 'device', 'client_credentials'])),
    /** The authorization endpoint (RFC 6749, 3.1), which a person opens. Required with the grant `code`. All addresses may hold `{NAME}`, a value of `parameter_mapping` that is no secret, and `{client_id}`. */
    auth_url: Type.Optional(Url),
    /** The device authorization endpoint (RFC 8628, 3.1). Required with the grant `device`. */
    device_url: Type.Optional(Url),
    /** The token endpoint (RFC 6749, 3.2). */
    token_url: Url,
    /** The endpoint of a refresh (RFC 6749, 6), where it is another one. @default token_url */
    refresh_url: Type.Optional(Url),
    /** The revocation endpoint. @default a logout only forgets the tokens */
    revoke_url: Type.Optional(Url),
    /**
     * The request that revokes: `post`, with the token as RFC 7009 has it; `delete`, with `{"access_token": …}` in a JSON body and the client's
     * Basic credentials (RFC 7617), as GitHub has it. @default post
     */
    revoke_method: Type.Optional(Type.Enum(['post', 'delete'])),
    /** The identifier of the authorization server: a redirect that names another one is refused (RFC 9207). @default not checked */
    issuer: Type.Optional(Url),
    /** Groups of scopes, by what they are for. `{}` where the service has no scopes. */
    scopes: Type.Record(Type.String(), Type.Array(Type.String())),
    /** Separator of the scopes in a request. @default a space (RFC 6749, 3.3) */
    scope_separator: Type.Optional(Type.String({ minLength: 1 })),
    /** Scopes that a scope includes, such as `repo: [public_repo]`: a service may leave them out of its answer, and a grant has them all the same. @default none */
    scope_includes: Type.Optional(Type.Record(Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 })))),
    /**
     * True where the token answer names all granted scopes, and each tool's `required_scopes` are exactly those without which the service refuses it:
     * a call whose account lacks some is refused before anything is sent. @default false, the service decides
     */
    check_scopes: Type.Optional(Type.Boolean()),
    /** The URL to which the service sends a person back. Absent where each program has its own. @default that of the program */
    redirect_uri: Type.Optional(Url),
    /** The parameter `approval_prompt` of the authorization URL. */
    approval_prompt: Type.Optional(Type.String()),
    /** The parameter `access_type` of the authorization URL, such as `offline`. */
    access_type: Type.Optional(Type.String()),
    /** Further parameters of the authorization URL, such as `prompt: consent`. */
    authorization_params: Type.Optional(Parameters),
    /** Further parameters of each token request, such as `audience`. */
    token_params: Type.Optional(Parameters),
    /** The client identifier, as `${NAME}` of a value. */
    client_id: Type.Optional(Type.String()),
    /** The client secret, as `${NAME}` of a value. @default a client without a secret (RFC 6749, 2.1) */
    client_secret: Type.Optional(Type.String()),
    /**
     * The place of client id and secret in token requests (RFC 6749, 2.3.1): `basic`, the Authorization header; `post`, the body; `none`, the
     * id alone in the body. @default post with a client secret, none without
     */
    client_auth: Type.Optional(Type.Enum(['basic', 'post', 'none'])),
    /** The format of the body of token requests. @default form (RFC 6749, 4.1.3) */
    token_body: Type.Optional(Type.Enum(['form', 'json'])),
    /** True to send a code challenge, S256 (RFC 7636). @default true for `toolkit auth login`, false for `authorizationUrl()` */
    pkce: Type.Optional(Type.Boolean()),
    /**
     * The values that a login supplies: a path into the token answer by the name of the value, such as `ACME_ACCESS_TOKEN: access_token`.
     * `redirect.<name>` is a parameter of the redirect. Names are those of `parameter_mapping`, or begin with the name of the provider. @default none
     */
    provides: Type.Optional(Type.Record(Type.String({ pattern: '^\\w+$' }), AnswerPath)),
    /** A token is refreshed before use when less than this is left, in milliseconds; at most half of its life. @default 60000 */
    refresh_margin_ms: Type.Optional(Type.Integer({ minimum: 0 })),
    /** The path of the account's name for people, in the token answer or in the claims of its ID token (`id_token.email`). @default no name */
    account_path: Type.Optional(AnswerPath),
    /** True where nobody has tried these facts with the service. @default false */
    unverified: Type.Optional(Type.Boolean()),
  },
  closed,
);

export type OAuth2Definition = Static<typeof OAuth2Schema>;
