/** The body of `/console`: the frame that the script fills. */
export function consoleBody(base: string): string {
  return `<body class="console">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="#overview">Switch<span>board</span></a>
<span class="beta">beta</span>
<p id="health" class="health quiet" role="status"></p>
<nav aria-label="Documents">
<a href="${base}/docs">Reference</a>
<a href="${base}/problems">Errors</a>
<button type="button" id="show-keys" hidden aria-keyshortcuts="?">Keys</button>
<button type="button" id="theme">Auto</button>
<button type="button" id="sign-out" hidden>Sign out</button>
</nav>
</header>
<nav id="views" class="views" aria-label="Parts" hidden></nav>
<p id="offline" class="offline" role="alert" hidden></p>
<main id="main" tabindex="-1">
<noscript><p>This page needs JavaScript. Without it, read <a href="${base}/v1/scaling">/v1/scaling</a> with an API key.</p></noscript>
<form id="sign-in" class="sign-in" autocomplete="off" hidden>
<h1>Sign in</h1>
<p class="lead">Everything here covers all tenants of this gateway.</p>
<label><span>Root key, or a key with the scope <code>operate</code></span>
<input id="key" type="password" required autocomplete="off" spellcheck="false"></label>
<p class="muted">It is kept in this tab until you sign out. Parts other than the overview need the scopes of what they show, such as <code>calls:read</code>; the root key has all.</p>
<p class="buttons"><button type="submit" class="send">Sign in</button></p>
<p id="sign-in-state" class="failed" role="alert"></p>
</form>
</main>
<p id="notice" class="notice" role="status"></p>
</body>`;
}
