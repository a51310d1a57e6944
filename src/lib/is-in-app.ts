type SentFrame = { in_app?: unknown; filename?: unknown; abs_path?: unknown }

/** Python's own folders of installed packages. Its SDK takes them for the app's code where they are below the working folder. */
const packages = /[/\\](?:dist|site)-packages[/\\]/

/** Installed by a package manager, whatever the SDK says of it. */
export const isInstalled = ({ filename, abs_path }: SentFrame): boolean =>
  (typeof abs_path === 'string' && packages.test(abs_path)) || (typeof filename === 'string' && packages.test(filename))

/** Whether a frame is the app's own code. SDKs that say nothing mean that it is. */
export const isInApp = (frame: SentFrame): boolean => frame.in_app !== false && !isInstalled(frame)
