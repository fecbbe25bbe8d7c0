/* Search in pages that are opened as files. Browsers start no worker from a file; a hidden frame does the same work. */

class IFrameWorker extends EventTarget {
  constructor(url) {
    super();
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    document.body.appendChild(this.frame);
    const page = this.frame.contentDocument;
    this.ready = new Promise((resolve) => this.frame.addEventListener("load", resolve, { once: true }));
    page.open();
    page.write("<script>postMessage = message => parent.postMessage(message, '*')</script>");
    page.write(`<script src="${new URL(url, location.href)}"></script>`);
    page.close();
    window.addEventListener("message", (event) => {
      if (event.source === this.frame.contentWindow) {
        const answer = new MessageEvent("message", { data: event.data });
        this.onmessage?.(answer);
        this.dispatchEvent(answer);
      }
    });
  }

  postMessage(message) {
    this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data: message })));
  }

  terminate() {
    this.frame.remove();
  }
}

if (location.protocol === "file:") {
  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
}
