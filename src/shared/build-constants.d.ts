/** Set by the build from package.json. */
declare const __APP_VERSION__: string;
/** `owner/name` of the repository whose releases this program is one of; empty for what is built from the source. */
declare const __REPOSITORY__: string;
