/** The settings, the form for a server, and what clips take. */
export const settings = {
  title: "Settings",
  appearance: {
    title: "Appearance",
    words: "System follows your desktop’s theme, including high contrast.",
    system: "System",
    dark: "Dark",
    light: "Light",
    contrast: "High contrast",
  },
  language: {
    title: "Language / Sprache",
    words: "Prompts are in English in every language.",
    system: "System",
  },
  place: {
    title: "Studio location",
    hereWords: "Everything runs on this computer, without a network connection.",
    serverWords: "Limber sends prompts and characters to your studio’s server.",
    here: "This computer",
    server: "Server",
  },
  noKeychain: "Limber found no usable keychain on this computer. You will have to sign in again after each restart.",
  noKeychainDetail: "Install and unlock a keychain such as GNOME Keyring or KWallet, then restart Limber.",
  shortcuts: {
    title: "Shortcuts",
    words: "You can do everything from the keyboard.",
    show: "Show shortcuts",
  },
  diagnostics: {
    title: "Diagnostics",
    words:
      "Saves one file with versions, settings and the end of the log, to send to support. It contains no prompts, addresses or secrets.",
    save: "Save diagnostics",
  },
  about: {
    title: "About Limber {{version}}",
    words:
      "The walk and run of Limber’s characters are fitted to measurements of recorded people. Limber contains none of the recordings.",
  },
  server: {
    words: "You get these four values from your operator.",
    identityUrl: "Address of the identity service",
    motionUrl: "Address of the motion service",
    clientId: "Client ID",
    clientSecret: "Client secret",
    secretKept: "Stored in the keychain",
    allowUnencrypted: "Allow unencrypted connections to this server",
    unencryptedWords:
      "On an http:// connection, others can read passwords and tokens and impersonate the server. Allow it only on a network you trust.",
    found: "Connection check",
    identity: "Identity service",
    motion: "Motion service",
    isFound: "{{name}}: found.",
    isNotFound: "{{name}}: not found.",
    check: "Check",
    connect: "Connect",
  },
  model: {
    title: "Language model",
    off: "Off. You can connect a language model that reads prompts on request.",
    on: "{{name}} at {{address}} reads a prompt when you press “Read with my model”.",
    words:
      "Works with any server that supports the chat-completions protocol, including one on this computer. Limber sends it the prompt, the script format and the names of actions, and only when you press the button.",
    begin: "Connect…",
    change: "Change…",
    address: "Server address",
    name: "Model name",
    key: "Key",
    keyHint: "If the server requires one. Stored in the keychain.",
    limit: "Timeout in seconds",
    unencryptedWords:
      "On an http:// connection, others can read prompts and the key. This does not apply to a server on this computer, which is always allowed.",
    test: "Test",
    stop: "Stop",
    connect: "Connect",
    forget: "Remove",
    works: "The model returned a valid script.",
  },
  storage: {
    title: "Storage",
    words: "Clips are stored in Limber’s folder on this computer. Signing out deletes nothing.",
    openFolder: "Open folder",
    counting: "Calculating…",
    library: "Library",
    bin: "Trash",
    empty: "empty",
    studio: "Studio copies",
    free: "Free disk space",
    showBin: "Show trash",
    emptyBin: "Empty trash",
    whatLeaves_one:
      "This permanently deletes {{count}} clip and frees {{size}}. The studio deletes its own copies a little later. Other clips and exported files stay.",
    whatLeaves_other:
      "This permanently deletes {{count}} clips and frees {{size}}. The studio deletes its own copies a little later. Other clips and exported files stay.",
  },
} as const;
