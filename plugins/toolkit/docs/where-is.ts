/** Places in the source, for people who look for one. `npm run docs` makes the page `map.md` of them. */

/** Questions about one part of the program, each with the file that answers it. */
export interface Area {
  readonly title: string;
  /** Question → path, from the folder of package.json on. */
  readonly places: Readonly<Record<string, string>>;
}

export const areas: readonly Area[] = [
  {
    title: 'A call',
    places: {
      'In which order does a call run?': 'kernel/call.ts',
      'How does the kernel decide which plugins a call needs?': 'kernel/plan.ts',
      'What does each hook get and return, and what does an error in it mean?': 'kernel/hooks.ts',
      'What can a plugin add beside taps?': 'kernel/extensions.ts',
      'What happens when a write worked but its answer is unusable?': 'kernel/call/end/carried-out.ts',
      'What may one caller cost the others?': 'kernel/json/cost.ts',
      'How is a large value handled without blocking other calls?': 'kernel/json/in-slices.ts',
      'How is a secret masked?': 'kernel/secrets/redact.ts',
    },
  },
  {
    title: 'Approval and policy',
    places: {
      'When does a call need an approval?': 'plugins/approval-gate/index.ts',
      'What is an approval bound to?': 'kernel/call/identity.ts',
      'How is the person asked?': 'plugins/shared/approval/ask-person.ts',
      'How are new or changed tools approved before a model may call them?': 'plugins/approval-gate/pending-change-approval.ts',
      'Which files does a handler or script import, and did they change?': 'plugins/shared/pinned-code/pinned-code.ts',
    },
  },
  {
    title: 'Definitions and tools',
    places: {
      'How is a definition checked and joined with its provider?': 'kernel/definition/link/link.ts',
      'How is a linked definition cached?': 'kernel/definition/cache/link-cache.ts',
      'What is cached of definitions between two starts?': 'plugins/shared/definition-files/link-caches.ts',
      'How are keys of an earlier system translated?': 'plugins/shared/definition-files/earlier-form/definition-changes.ts',
      'How are tools reloaded while the server runs?': 'kernel/discovery/live-registry.ts',
      'Which of several tools with one name wins?': 'kernel/definition/registry/owners.ts',
      'How are the tools of another server or a document listed, and its changes held back?': 'kernel/source/running-source.ts',
      'How does a document become tools?': 'plugins/openapi/generate/generate-source.ts',
      'How does a schema of a document become ours?': 'plugins/openapi/schemas/create-schema-converter.ts',
      'Which files may a document refer to?': 'plugins/openapi/document/read-confined.ts',
      'What does the lock accept of a source?': 'plugins/openapi/accepted/accepted-source.ts',
      'How is the listing of a source kept between two starts?': 'kernel/source/listing-cache.ts',
      'How is a long schema listed for a model?': 'plugins/shared/exposure/written-out/write-out.ts',
      'Where do parameters add to an input_schema?': 'kernel/definition/check/parameter-overlay.ts',
      'Which list of tools does an MCP client get?': 'plugins/mcp/protocol/catalog/catalog.ts',
      'Which schemas do model APIs accept?': 'plugins/shared/exposure/profiles/profiles.ts',
      'How is a long result shortened for a model?': 'plugins/output-budget/shorten.ts',
    },
  },
  {
    title: 'Executors',
    places: {
      'How is an HTTP request built?': 'plugins/executor-http/request/request.ts',
      'Where is a definition key such as `retry` implemented?': 'plugins/executor-http/definition/retry.ts',
      'How is a list or an object written into a URL?': 'plugins/executor-http/request/styles/query-text.ts',
      'How is one of several bodies chosen?': 'plugins/executor-http/request/choose-body.ts',
      'Where does a tool wait for a result that comes later?': 'plugins/executor-http/poll/poll-result.ts',
      'How does an http tool send a file?': 'plugins/executor-http/request/streamed-body.ts',
      'How is an answer saved to a file?': 'plugins/shared/confined-files/save-stream.ts',
      'How is a program started?': 'plugins/shared/process/program.ts',
      'How is a program put into a sandbox?': 'plugins/sandbox-bwrap/sandbox.ts',
      'How is a Node process with limits started?': 'plugins/shared/process/limited-node.ts',
      'How is foreign text parsed in a process that may crash?': 'plugins/executor-function/children/process-pool.ts',
    },
  },
  {
    title: 'Data of others',
    places: {
      'How is JSON read without rounding large integers?': 'kernel/json/read-json.ts',
      'How does a schema check integers beyond 2^53?': 'kernel/schema/exact-integers.ts',
      'Which URLs are refused because parsing them would block the server?': 'kernel/schema/parse-url.ts',
      'Is this XML well-formed?': 'tools/core/convert/read-xml.ts',
      'How are RSS and Atom feeds read?': 'tools/core/web/feed/xml-feed.ts',
      'How is a path confined to the roots?': 'plugins/confine-paths/roots.ts',
      'How does a parameter take its value from a file?': 'plugins/confine-paths/reading/read-reference.ts',
      'How is a folder tree walked?': 'tools/core/fs/files/walk.ts',
      'How does a search use ripgrep?': 'tools/core/fs/searching/ripgrep-candidates.ts',
      'What time does a clock show in a time zone?': 'plugins/shared/time-zones/named-zone.ts',
    },
  },
  {
    title: 'MCP servers as a source, and the lock',
    places: {
      'How does a server become a source?': 'plugins/upstreams/source.ts',
      'How is a call relayed to a server?': 'plugins/upstreams/relay/call-tool.ts',
      'When is a server started, and when does it end?': 'plugins/upstreams/connections.ts',
      'Which call does a question of a server belong to?': 'plugins/upstreams/ask/asker.ts',
      'How is what comes from outside locked?': 'plugins/lock-file/index.ts',
      'How are texts from outside scanned for orders to a model?': 'plugins/shared/scanner/scan-items.ts',
      'Which words and orders does the scanner look for?': 'plugins/shared/scanner/rules/rules.ts',
      'How does a finding of the scanner block a command?': 'plugins/shared/scanner/review/review-items.ts',
      'How is a tool withheld?': 'kernel/definition/registry/withhold.ts',
      'Is a tool ready?': 'plugins/cli/commands/doctor/readiness/tool-readiness.ts',
      'How are names of MCP servers made?': 'plugins/upstreams/names/upstream-names.ts',
      'How are tools of MCP servers listed to clients?': 'plugins/shared/exposure/list-for-client.ts',
      'How is a question of an MCP server shown?': 'plugins/upstreams/ask/elicitation.ts',
      'When are changed lists of an MCP server read?': 'plugins/upstreams/list-changes.ts',
      'How are changes of single resources relayed?': 'plugins/upstreams/relay/watch-resource.ts',
      'How does a source take part in toolkit accept?': 'plugins/shared/lock/lock-source.ts',
      'How is what a host accepts of a server written into the lock?': 'plugins/upstreams/accepted/record-changes.ts',
      'How are foreign schemas normalised?': 'plugins/upstreams/schemas/normalize-schema.ts',
      'How are the files of MCP clients imported?': 'plugins/upstreams/import/import-servers.ts',
    },
  },
  {
    title: 'Durable calls and records',
    places: {
      'What must an engine of durable calls do?': 'kernel/durable/call-engine.ts',
      'How is a durable call claimed and run?': 'plugins/shared/calls/call-run.ts',
      'Which waiting call runs next?': 'plugins/engine-local/waiting-calls.ts',
      'Which tenant gives way when room is short?': 'plugins/shared/fairness/holdings.ts',
      'Which caller gets the next free slot?': 'plugins/shared/fairness/slot-queue.ts',
      'How does a job of BullMQ reach a process?': 'plugins/engine-bullmq/job-worker.ts',
      'Which workers share a queue of BullMQ?': 'plugins/engine-bullmq/tool-sets.ts',
      'When does a BullMQ worker say that it takes no calls?': 'plugins/engine-bullmq/worker-report.ts',
      'How are silent connections of BullMQ replaced?': 'plugins/engine-bullmq/database-sockets.ts',
      'How does an unknown call become completed?': 'plugins/shared/calls/known-effects.ts',
      'Which intent do a durable call and a call with once share?': 'plugins/calls-once/intent-ids.ts',
      'How is a call found that does not go on?': 'plugins/engine-local/commands/calls/hindrance.ts',
      'How are calls moved to PostgreSQL?': 'plugins/toolkit/calls-move/run-move.ts',
      'How are calls of earlier versions taken on?': 'plugins/shared/calls/earlier-entries.ts',
      'How is a scheduled call submitted when it is due?': 'plugins/schedule/job-timer.ts',
      'How are the files of the audit trail written?': 'plugins/audit-trail/folder/trail-folder.ts',
    },
  },
  {
    title: 'Accounts',
    places: {
      'How does a call get the access token of its caller?': 'plugins/accounts/credential-source.ts',
      'Which of several accounts does a call use?': 'plugins/accounts/accounts.ts',
      'How does a person log in from the command line?': 'plugins/accounts/login/loopback-login.ts',
      'How does a person log in by a link?': 'plugins/accounts/connect/connect-flow.ts',
      'Which browser may finish a login by link?': 'plugins/accounts/connect/browser-binding.ts',
      'What becomes of a refresh token in the environment?': 'plugins/accounts/chain-grant.ts',
    },
  },
  {
    title: 'Several processes',
    places: {
      'Which store may several machines share?': 'kernel/state/state-store.ts',
      'Which processes live, on PostgreSQL?': 'plugins/shared/cluster/process-observer.ts',
      'Which processes of one machine live?': 'plugins/shared/cluster/socket-presence.ts',
      'How does a process say that it lives?': 'plugins/shared/cluster/process-members.ts',
      'Which process has a slot of a concurrency limit?': 'plugins/limit-rate/shared/held-slots.ts',
      'How are the keys of a shared store watched?': 'plugins/shared/cluster/store-watch.ts',
      'What happens to a statement whose answer is lost?': 'plugins/store-postgres/connection-pool.ts',
      'Which hosts of a database URL are used?': 'plugins/shared/state/postgres-hosts.ts',
      'When is a process ready?': 'plugins/shared/health/readiness.ts',
      'Which versions of stored records are there?': 'plugins/shared/state/record-versions.ts',
      'How is a store of earlier processes upgraded?': 'plugins/shared/state/earlier-processes.ts',
      'How does a circuit find out that this process stood still?': 'plugins/limit-circuit/standstill.ts',
      'Which faults can a test put before a server?': 'test/support/fault-proxy.ts',
    },
  },
  {
    title: 'The MCP server',
    places: {
      'How is a message of a client answered?': 'plugins/mcp/protocol/clients/session-client.ts',
      'Which requests have no answer yet, and what happens to them at the end?': 'plugins/shared/json-rpc/peer.ts',
      'What differs between revisions of the protocol?': 'plugins/mcp/protocol/revisions.ts',
      'Where is the handler of a method of the protocol?': 'plugins/mcp/protocol/methods/methods.ts',
      'How is a batch of messages answered?': 'plugins/mcp/protocol/batch.ts',
      'Where do I add a transport?': 'plugins/mcp/transports/index.ts',
      'Which way does an HTTP request go?': 'plugins/mcp/transports/http/endpoint.ts',
      'How is a request without a session answered?': 'plugins/mcp/transports/http/sessionless/requests.ts',
      'Where do our schemas and those of the official SDK differ?': 'test/plugins/mcp/support/verdict-differences.ts',
      'Which checks does an HTTP request pass?': 'plugins/mcp/transports/http/checks.ts',
      'Where are request headers read?': 'plugins/mcp/transports/http/request-headers.ts',
      'How is an access token checked?': 'plugins/mcp/transports/http/authorization/access-tokens.ts',
      'How does a session survive a restart?': 'plugins/mcp/transports/http/sessions/session-ids.ts',
      'How do several processes share a session?': 'plugins/mcp/transports/http/sessions/shared/shared-session.ts',
      'Which key signs sessions?': 'plugins/shared/keys/host-keys.ts',
    },
  },
  {
    title: 'Commands, hosts and frameworks',
    places: {
      'Where is a command such as `toolkit list`?': 'plugins/cli/commands/list.ts',
      'How does `toolkit test` record and replay requests?': 'plugins/cli/commands/test/cassette/session.ts',
      'How does a schema become a TypeScript type?': 'plugins/cli/commands/types/schema-type.ts',
      "Where are the flags of a plugin's options?": 'plugins/toolkit/program/option-flags.ts',
      'Which flags does a command really have?': 'plugins/toolkit/program/flag-names.ts',
      'Where are the flags of the MCP server?': 'plugins/mcp/flags.ts',
      'Where is the chain of resolvers?': 'plugins/toolkit/secrets/secret-resolver.ts',
      'What may plugins know of one another?': 'kernel/taps/facts.ts',
      'How is the configuration found and loaded?': 'plugins/toolkit/config/load-config.ts',
      'Which plugins are built in?': 'plugins/toolkit/standard.ts',
      'What may a program in another language ask?': 'plugins/host-stdio/methods/methods.ts',
      'How does a framework call a tool for its model?': 'plugins/shared/model-tools/model-tools.ts',
    },
  },
  {
    title: 'Documents and tests',
    places: {
      'What must every plugin do?': 'plugins/toolkit/testing/contract/check-plugin.ts',
      'Where is a page of the reference made?': 'plugins/toolkit/docs/reference-pages.ts',
      'Where is a page of the site made?': 'plugins/toolkit/docs/site/site-pages.ts',
      'Where is the picture of the README made?': 'test/docs/terminal-picture.ts',
      'Where is the page for plugin authors?': 'plugins/README.md',
      'Where is the guide for programs that embed the service?': 'plugins/toolkit/EMBEDDING.md',
      'Where is the guide to durable calls and workers?': 'plugins/engine-local/README.md',
    },
  },
];

/** Folder → its content. `<name>` stands for any name. Rooms are named in backticks. */
export const folders: Readonly<Record<string, string>> = {
  'kernel/':
    'Hooks, plugins, the guard around plugin code, and the order of one call. Knows no tool and no provider. Start with `hooks.ts`, then `call.ts`.',
  'kernel/approval/': 'Asking for approval, and the changes since the question that refuse a call.',
  'kernel/call/':
    'The nouns of a call (`request.ts`, `draft.ts`, `output.ts`, `verdict.ts`, `identity.ts`), beside its stages in `kernel/call.ts`. `context/` has what taps get of a call and the services behind it, `end/` reports its end, `parameters/` checks and reads the parameters.',
  'kernel/client/': 'What the caller offers while its call runs: a person to ask, a model, its roots.',
  'kernel/definition/':
    'The definition language: `schema/` has the shapes of tools, providers and parameters, `check/` the rules, `link/` joins a tool with its provider, `cache/` keeps link results, `resources/` are resources, prompts and skills, `registry/` is the registry of all.',
  'kernel/discovery/': 'Discovery by plugins side by side, the current registry, and its replacement by a reload.',
  'kernel/durable/': 'Calls that outlive their process: the interface of an engine, what may be stored, the handle that a host gets.',
  'kernel/files/': 'Control files, which tools do not touch, and the error when no more files can be opened.',
  'kernel/json/': 'JSON values: conversion, reading and writing without rounding, work in slices, limits on their cost (`cost.ts`).',
  'kernel/log/': 'The logger, its records and its settings.',
  'kernel/schema/': 'Checks of values by a schema, patterns, URLs, the nearest names for error messages.',
  'kernel/secrets/': 'Secret handles, the chain of resolvers, masking.',
  'kernel/serve/': 'The sink of the hook `serve`, and a running transport.',
  'kernel/source/':
    'Tools from outside: sources (`extend.source`), each with its namespace, time limit, state and withheld changes. Start with `source.ts`.',
  'kernel/state/': 'Values that outlive a call: the store as plugins see it, and the store in memory.',
  'kernel/taps/': 'How plugins add to a hook: the declared tap, its order, the guard around it, and how the taps of a hook run.',
  'kernel/time/': 'The clock of a stage, which stands still while work waits for a slot.',
  'plugins/<role>-<thing>/':
    "One plugin a folder: `index.ts` has its factory and its options schema. Uses the kernel's public interface and nothing else of ours.",
  'plugins/adapter-<framework>/':
    'The tools for a framework that runs models: a host of the kernel, no plugin. Only this folder imports the framework, an optional peer dependency.',
  'plugins/executor-function/children/':
    'Functions in child processes: `child-worker.ts` is the end in the server, `child.ts` the process, `frames.ts` the messages between them.',
  'plugins/executor-http/':
    'http tools: `exchange.ts` sends and repeats requests; `request/`, `response/`, `paginate/`, `poll/` for results that come later, and `definition/` with the keys that it enforces.',
  'plugins/openapi/':
    'Documents as sources of tools: `document/` opens and parses one, `operations/` reads what it says, `schemas/` converts its schemas, `generate/` makes the tools, `accepted/` is what the lock says of it. `compare/` finds differences, `mock/` is a server made from a document, `commands/` is `toolkit openapi`.',
  'plugins/upstreams/':
    'MCP servers as sources: `connect/` opens connections and ends processes, `relay/` passes calls and results on, `ask/` the questions of servers, `define/` makes definitions, `names/`, `schemas/` and `import/` read what is foreign, `accepted/` is what the lock says, `commands/` is `toolkit upstream`.',
  'plugins/audit-trail/folder/': 'A trail of several processes: one segment for each, and the index that names them.',
  'plugins/mcp/':
    'The MCP server: `protocol/` has the messages, `transports/` carries them, `cluster/` connects several processes, `commands/` is `toolkit mcp` and its setup, `docker/` has a container with one server. In `protocol/`, `revisions.ts` says what each revision has, `methods/` handle requests, `clients/` are what a connection is, `catalog/` has the lists, `asking/` the questions to a client, `tasks/` the calls whose result is fetched later.',
  'plugins/host-stdio/':
    '`toolkit host`, for programs in other languages: `peer/` is JSON-RPC both ways, `methods/` what such a program asks, `client/` what it offers.',
  'plugins/cli/':
    'The commands: a file or folder in `commands/` each, named as it is typed. Shared code is in `terminal/`, `parameters/` and `code/`. Commands about one plugin stand in its folder.',
  'plugins/toolkit/':
    'Where the parts are put together: the preset `standard()`, the `Toolkit` class, `createMCPServer`, and the guides. `program/` is the command-line program, `calls-move/` is `toolkit calls move`, `config/` reads configurations, `host/` is the implementation of `toolkit host`, `logger/` the logger for hosts, `schemas/` the JSON Schemas that the build makes, `secrets/` the chain of resolvers with its command. `testing/` is for authors of plugins and tools: `contract/` checks plugins, `state/` stores, `calls/` engines of durable calls. `docs/` makes the pages in `reference/`, and `code/` runs what the build has made. Only this folder imports other plugins.',
  'plugins/python-sdk/':
    'The Python package, a client of `toolkit host`: no plugin, and no part of the npm package. `src/toolkit/` is the package (`_channel.py` talks to the program, `_operations.py` has the requests), `build/` makes its wheel, `tests/` are in Python.',
  'plugins/shared/<topic>/': 'Code that several plugins use. A part with one user lives with that user.',
  'plugins/shared/approval/': 'Asking a person.',
  'plugins/shared/bound-files/':
    'Files and folders that an approval is bound to: their content, and which of them the arguments of a program name.',
  'plugins/shared/checks/': 'Checks for `toolkit doctor` that several plugins use.',
  'plugins/shared/calls/':
    'Shared by the engines of durable calls: records, their transitions, one run. An engine adds how workers get calls.',
  'plugins/shared/code/': 'Modules of tools: found, imported, cached.',
  'plugins/shared/cluster/': 'Which processes live, by locks of PostgreSQL.',
  'plugins/shared/conditions/': 'CEL conditions, with a limit on their cost.',
  'plugins/shared/configuration/': 'Options added to a configuration file, with its text and comments left as they are.',
  'plugins/shared/confined-files/':
    'Opening a confined path without following a link that was put there since the check, and saving a stream there.',
  'plugins/shared/control-files/': 'Refusing work on many files that would touch control files.',
  'plugins/shared/definition-files/': 'Reading YAML definitions and skills, and the manifests that the build makes of them.',
  'plugins/shared/exposure/': 'Which tools a client sees, and how; `profiles/` has what model APIs accept.',
  'plugins/shared/fairness/': 'Sharing limited resources between tenants: slots in a queue, room in a cache.',
  'plugins/shared/flags/': 'Flags of commands: how values are read, tools and folders are chosen and completed.',
  'plugins/shared/folder-watch/': 'Notifying when files below folders change; the folders that a server watches.',
  'plugins/shared/health/': 'Readiness of a process, and the probes of one without a server.',
  'plugins/shared/host-cache/': 'Results of one start, cached for the next one.',
  'plugins/shared/http/': 'Meaning of a status, URLs that are safe to send to, incomplete bodies, cookies of a chain of redirects.',
  'plugins/shared/kept-outputs/': 'Reading the stored rest of a long output.',
  'plugins/shared/keys/': 'The key of this host, tokens that are signed with it, and single use of them.',
  'plugins/shared/json-rpc/': 'JSON-RPC 2.0 for both sides of a connection: messages, their lines, requests with cancellation.',
  'plugins/shared/mcp-sdk/': 'All that is taken from the official MCP SDK: types, URI templates, the client. Nothing else imports it.',
  'plugins/shared/lock/': '`toolkit.lock` and its folder: what was accepted of sources, in a section for each kind.',
  'plugins/shared/model-tools/': 'Shared by the adapters: options, the offered tools, a call and its result.',
  'plugins/shared/oauth/':
    'The OAuth client of accounts and servers: logins, token requests, revoking, discovery, settings of definitions.',
  'plugins/shared/output-room/': 'The room for an output, in characters of JSON, for tools that stop by themselves.',
  'plugins/shared/pinned-code/':
    'Code that runs with a definition: imports, scripts, manifests; compared with what was linked, and which of it a model wrote.',
  'plugins/shared/process/': 'Programs, process groups, standard output.',
  'plugins/shared/project/': 'Folders of a project and of this package, names of configuration files, versions.',
  'plugins/shared/reload/': "Reading the operator's files again while a server runs.",
  'plugins/shared/remote-secrets/': 'Shared by the secret stores in the network.',
  'plugins/shared/scanner/':
    'Looking for orders to a model in texts from outside: `plain/` undoes disguises, `words/` has the vocabulary, `rules/` the sequences of words, `checks/` what is not words, `review/` shows findings and blocks.',
  'plugins/shared/schemas/': 'Checks of the patterns in foreign schemas.',
  'plugins/shared/search/': 'Finding tools by words.',
  'plugins/shared/source-cache/': 'Listings of sources, kept for the next start.',
  'plugins/shared/secrets/': 'Which secrets tools need, and which resolver has them.',
  'plugins/shared/state/': 'Shared by the stores in a database: encrypted values, watches; optional stores; whether a process still lives.',
  'plugins/shared/tables/': 'Names and types of the columns of a CSV file.',
  'plugins/shared/terminal/': 'Tables, colours and prompts of commands.',
  'plugins/shared/text/':
    'How bytes become text (`utf8.ts` is the one place), foreign text shown safely, JSON, shell words, line ends that are preserved.',
  'plugins/shared/time-zones/': 'Clocks of a named zone by the newest installed IANA data, and due times of cron expressions.',
  'plugins/shared/walks/': 'Walks through trees of files, and reports of what they could not read.',
  'tools/core/<group>/': 'Core tools: one YAML file each, with the handlers of the group beside them, in rooms where they are many.',
  'tools/<provider>/': 'One npm workspace a provider, found by discovery like the package of any other author.',
  'fixtures/': 'Tools, configurations, plugins, hosts and loopback servers that tests use.',
  'test/':
    'Mirrors the source. `contract/` checks every plugin and every import, `e2e/` drives the built program, `suites/` has what is too slow for `npm test`, `jobs/` what a model does with several calls and its cost, `bench/` the measurements, `lint/` the rule about plain words, `docs/` checks the documents and makes the picture of the README, `ci/` what `.ci/run` runs, `support/` what tests share. `tools/cassettes/` writes the cassettes of shipped tools.',
};
