// SPDX-License-Identifier: GPL-3.0-or-later
// About: version and licences.
import { frame, get, showError } from "/web/common.js";

frame();
try {
    const { version } = await get("/api/session");
    document.getElementById("version").textContent = `Version ${version}.`;
    document.getElementById("licences").textContent = await (await fetch("/web/licences.txt")).text();
} catch (error) {
    showError(error);
}
