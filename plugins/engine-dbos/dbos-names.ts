/** Of the application to DBOS: what others keep in the same database is none of ours. */
export const applicationName = 'toolkit';

/** The same for all versions of this program: a workflow says only which call is to be looked at, so any of them may run it. */
export const applicationVersion = '1';

/** The schema of DBOS's tables: another application may have those of its own version. */
export const schemaName = 'toolkit_dbos';

export const queueName = 'toolkit calls';

export const workflowName = 'toolkit call';
