/** Name of the application in DBOS, which separates our workflows from others in the same database. */
export const applicationName = 'toolkit';

/** The same for all versions of this program: a workflow only names a call, so any version may run it. */
export const applicationVersion = '1';

/** Database schema of DBOS's tables: another application may use tables of its own DBOS version. */
export const schemaName = 'toolkit_dbos';

export const queueName = 'toolkit calls';

export const workflowName = 'toolkit call';
