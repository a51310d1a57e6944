type SentFrame = { in_app?: unknown; filename?: unknown; abs_path?: unknown }

/** Python's folders of installed packages. Its SDK reports them as app code if they are below the working folder. */
const packages = /[/\\](?:dist|site)-packages[/\\]/

/** Installed by a package manager, whatever the SDK reports. */
export const isInstalled = ({ filename, abs_path }: SentFrame): boolean =>
  (typeof abs_path === 'string' && packages.test(abs_path)) || (typeof filename === 'string' && packages.test(filename))

/** True for frames of the app's own code, which is the default if the SDK does not say. */
export const isInApp = (frame: SentFrame): boolean => frame.in_app !== false && !isInstalled(frame)
