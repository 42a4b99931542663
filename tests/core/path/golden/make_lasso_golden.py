# Prints what tests/core/path/lasso_test.cpp expects: the Lasso of scikit-learn 1.2.1 on the indicators of two small trees.
import numpy as np
from sklearn.linear_model import MultiTaskLasso, lasso_path
x1=np.array([.05,.15,.25,.35,.45,.55,.65,.75,.85,.95,.50,.60]);x2=np.array([.9,.1,.8,.2,.7,.3,.6,.4,.5,.05,.95,.15])
y=np.array([1.2,-0.3,0.8,2.5,-1.1,0.4,3.3,-2.2,1.9,0.1,-0.7,2.8]); y2=np.array([0.3,1.1,-0.4,0.9,2.1,-1.3,0.2,0.7,-0.8,1.6,0.5,-0.1])
def tree(t):
    cols=[]
    def go(node,mask):
        cols.append(mask)
        if node is None: return
        c,th,l,r=node
        x=x1 if c==0 else x2
        go(l,mask&(x<=th)); go(r,mask&(x>th))
    go(t,np.ones(12,bool)); return cols
t1=(0,.4,(1,.52,None,None),(0,.7,(1,.25,None,None),None))
t2=(1,.45,(0,.58,None,None),(1,.75,None,(0,.3,None,None)))
Z=np.array(tree(t1)+tree(t2)).T.astype(float)
print(Z.shape)
for name in ['centred','standardised']:
    X=Z-Z.mean(0); keep=X.std(0)>0; X=X[:,keep]
    if name=='standardised': X=X/X.std(0)
    X=np.asfortranarray(X)
    ys=(y-y.mean())/y.std()
    lm=np.abs(X.T@ys).max()/12
    alphas=lm*np.exp(np.arange(100)/99*np.log(1e-3))
    a,co,g=lasso_path(X,ys,alphas=alphas,tol=1e-14,max_iter=1000000)
    for k in [10,30,60,99]:
        print(name,k,repr(np.abs(co[:,k]).sum()),[float('%.10g'%v) for v in (X@co[:,k])*y.std()+y.mean()])
    Y=np.column_stack([y,y2]); Y=(Y-Y.mean(0))/Y.std(0)
    lm=np.sqrt(((X.T@Y)**2).sum(1)).max()/12
    for k in [30,60]:
        m=MultiTaskLasso(alpha=lm*np.exp(k/99*np.log(1e-3)),fit_intercept=False,tol=1e-14,max_iter=1000000).fit(X,Y)
        W=m.coef_.T
        print('multi',name,k,repr(np.sqrt((W**2).sum(1)).sum()),[float('%.10g'%v) for v in ((X@W)*np.array([y.std(),y2.std()])+np.array([y.mean(),y2.mean()])).ravel()])
