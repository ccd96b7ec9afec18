/** The product that global-setup.mjs starts and global-teardown.mjs stops. */
declare var cairnUnderTest: { stop(): Promise<unknown> } | undefined;
