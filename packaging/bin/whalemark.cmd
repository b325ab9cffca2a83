@echo off
rem The terminal twin of the installed app: the app's own program, run as Node.
setlocal
rem Run as Node, an older Electron would load what this names, whatever its fuses say.
set NODE_OPTIONS=
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\..\Whalemark.exe" "%~dp0..\app.asar\out\cli\whalemark.cjs" %*
exit /b %errorlevel%
